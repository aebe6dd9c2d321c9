import { eq, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Database, db, type Transaction } from '@/db/client';
import { recoveryCodes, twoFactor } from '@/db/schema/security';
import { lockAccount } from '@/lib/account/passwords/locks';
import { useFreshDatabase } from '@/test/app-database';
import { createAccount, enableAuthenticatorApp, newEmail, signInUser } from '@/test/auth-fixtures';
import { newClientInfo } from '@/test/client-info';
import { duringTransaction } from '@/test/open-transaction';
import { assertSecondFactor, enableTwoFactor, renewRecoveryCodes, setUpTwoFactor } from './service';
import { encryptTotpSecret } from './totp-secret';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

let user: Awaited<ReturnType<typeof signInUser>>['user'];
beforeEach(async () => {
  user = (await signInUser(await createAccount(newEmail()))).user;
});

/** Sets up an app that waits for its first code. @returns the code */
async function setUp(): Promise<string> {
  const { secret } = await setUpTwoFactor(user);
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate();
}

/** Changes the account's app, as another tab does. */
const changeApp = (values: PgUpdateSetSource<typeof twoFactor>) => (tx: Transaction | Database) =>
  tx.update(twoFactor).set(values).where(eq(twoFactor.userId, user.id));

const readApp = async () => (await db().select().from(twoFactor).where(eq(twoFactor.userId, user.id)))[0];
const countCodes = () => db().$count(recoveryCodes, eq(recoveryCodes.userId, user.id));
const refused = (code: string) => ({
  waited: true,
  outcome: { status: 'rejected', reason: expect.objectContaining({ code }) },
});

it('a first code doesn’t turn on an app that another tab has just replaced', async () => {
  const code = await setUp();
  const sealedSecret = await encryptTotpSecret(new Secret({ size: 20 }).base32);
  const enabled = await duringTransaction(changeApp({ sealedSecret }), () =>
    enableTwoFactor(user.id, code, newClientInfo()),
  );
  expect(enabled).toEqual(refused('conflict'));
  expect(await readApp()).toMatchObject({ sealedSecret, confirmedAt: null });
  expect(await countCodes()).toBe(0);
});

it('the recovery codes that another tab has just shown stay good', async () => {
  const code = await setUp();
  const enabled = await duringTransaction(changeApp({ confirmedAt: sql`now()` }), () =>
    enableTwoFactor(user.id, code, newClientInfo()),
  );
  expect(enabled).toEqual(refused('conflict'));
  expect(await countCodes()).toBe(0);
});

it('an app that another tab has just turned on isn’t replaced', async () => {
  await setUp();
  const before = await readApp();
  const replaced = await duringTransaction(changeApp({ confirmedAt: sql`now()` }), () =>
    setUpTwoFactor(user),
  );
  expect(replaced).toEqual(refused('conflict'));
  expect(await readApp()).toEqual({ ...before, confirmedAt: expect.any(Date) });
});

it('an app that’s being removed gets no recovery codes', async () => {
  await enableAuthenticatorApp(user);
  const remove = async (tx: Transaction) => {
    await lockAccount(tx, user.id);
    await tx.delete(twoFactor).where(eq(twoFactor.userId, user.id));
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, user.id));
  };
  const renewed = await duringTransaction(remove, () => renewRecoveryCodes(user.id));
  expect(renewed).toEqual(refused('conflict'));
  expect(await countCodes()).toBe(0);
});

it('a code that another sign-in is using is refused', async () => {
  const secret = new Secret({ size: 20 });
  await setUp();
  const sealedSecret = await encryptTotpSecret(secret.base32);
  await changeApp({ sealedSecret, confirmedAt: sql`now()` })(db());
  const totp = new TOTP({ secret });
  const login = await duringTransaction(
    changeApp({ lastStep: TOTP.counter({ timestamp: Date.now() }) + 1 }),
    () => assertSecondFactor(user.id, totp.generate(), newClientInfo()),
  );
  expect(login).toEqual(refused('validation_failed'));
});
