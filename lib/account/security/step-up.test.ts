import { and, eq } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { sessions, users } from '@/db/schema/accounts';
import { identities } from '@/db/schema/security';
import { addPasskey, passkeyOptions, removePasskey } from '@/lib/account/passkeys/service';
import { signInOptions } from '@/lib/account/passkeys/sign-in';
import { hashPassword } from '@/lib/account/passwords/passwords';
import { unlinkAccount } from '@/lib/account/providers/service';
import { createSession } from '@/lib/account/sessions/create-session';
import { authenticate, type User } from '@/lib/account/sessions/service';
import {
  disableTwoFactor,
  enableTwoFactor,
  setUpTwoFactor,
  twoFactorState,
} from '@/lib/account/two-factor/service';
import { addUser, useFreshDatabase } from '@/test/app-database';
import { createVirtualAuthenticator } from '@/test/authenticator';
import { expectRejection, newClientInfo } from '@/test/client-info';
import type { StepUpProof } from './contract';
import { changePassword, requestEmailChange } from './service';
import { assertStepUp, confirmOptions } from './step-up';

const PASSWORD = 'three quiet lamps';
let takeDown: () => Promise<void>;
let passwordHash: string;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
  passwordHash = await hashPassword(PASSWORD);
});
afterAll(() => takeDown());

let user: User;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  user = await signIn(await addUser(`${crypto.randomUUID()}@example.com`, passwordHash));
  return () => vi.useRealTimers();
});

async function signIn(id: string): Promise<User> {
  const tokens = await db().transaction((tx) =>
    createSession(tx, { id, verified: true }, newClientInfo(), 'password'),
  );
  const found = await authenticate(tokens.access);
  if (!found) throw new Error('not signed in');
  return found;
}

/** Turns two-factor login on; each code lies in a time step of its own. */
async function withApp() {
  const { secret } = await setUpTwoFactor(user);
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const nextCode = () => {
    vi.setSystemTime(Date.now() + 30_000);
    return totp.generate();
  };
  const codes = await enableTwoFactor(user.id, nextCode(), newClientInfo());
  return { nextCode, codes };
}

async function withPasskey(proof: StepUpProof, owner = user) {
  const authenticator = createVirtualAuthenticator(
    Buffer.from(owner.id.replaceAll('-', ''), 'hex').toString('base64url'),
  );
  const { challenge } = await passkeyOptions(owner, proof, newClientInfo());
  const { id } = await addPasskey(owner, { name: 'A key', credential: authenticator.register(challenge) });
  return { authenticator, id };
}

const prove = (proof: StepUpProof, as = user) => assertStepUp(as, proof, newClientInfo());
const fieldsOf = async (work: Promise<unknown>) => Object.keys((await expectRejection(work)).fields ?? {});
const answer = async (authenticator: ReturnType<typeof createVirtualAuthenticator>, as = user, how = {}) =>
  authenticator.assert((await confirmOptions(as)).challenge, how);

describe('an account with a password and an authenticator app', () => {
  it('names everything that is missing, and takes both together', async () => {
    const { nextCode, codes } = await withApp();
    expect(await fieldsOf(prove({}))).toEqual(['currentPassword', 'code']);
    expect(await fieldsOf(prove({ currentPassword: PASSWORD }))).toEqual(['code']);
    expect(await fieldsOf(prove({ code: nextCode() }))).toEqual(['currentPassword']);
    expect(await fieldsOf(prove({ currentPassword: 'wrong', code: nextCode() }))).toEqual([
      'currentPassword',
    ]);
    expect(await fieldsOf(prove({ currentPassword: PASSWORD, code: '000000' }))).toEqual(['code']);
    await prove({ currentPassword: PASSWORD, code: nextCode() });
    await prove({ currentPassword: PASSWORD, code: codes[0] });
    expect(await fieldsOf(prove({ currentPassword: PASSWORD, code: codes[0] }))).toEqual(['code']);
  });

  it('is asked for both by every change, none of which then happens', async () => {
    const { nextCode } = await withApp();
    const { id } = await withPasskey({ currentPassword: PASSWORD, code: nextCode() });
    await db().insert(identities).values({
      id: crypto.randomUUID(),
      userId: user.id,
      provider: 'google',
      providerAccountId: user.id,
      email: '',
    });
    const half = { currentPassword: PASSWORD };
    const email = `${crypto.randomUUID()}@example.com`;
    for (const change of [
      () => changePassword(user, { ...half, newPassword: 'four loud lanterns' }, newClientInfo()),
      () => requestEmailChange(user, { ...half, email }, newClientInfo()),
      () => passkeyOptions(user, half, newClientInfo()),
      () => removePasskey(user, id, half, newClientInfo()),
      () => unlinkAccount(user, 'google', half, newClientInfo()),
    ]) {
      expect(await fieldsOf(change())).toEqual(['code']);
    }
    await changePassword(
      user,
      { ...half, code: nextCode(), newPassword: 'four loud lanterns' },
      newClientInfo(),
    );
  });

  it('uses a code up once, also of 20 changes at once', async () => {
    const { nextCode } = await withApp();
    const proof = { currentPassword: PASSWORD, code: nextCode() };
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => prove(proof)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('evaluates ten wrong codes of a client', async () => {
    await withApp();
    const client = newClientInfo();
    const outcomes = [];
    for (let round = 0; round < 12; round += 1) {
      const tried = assertStepUp(user, { currentPassword: PASSWORD, code: '000000' }, client);
      outcomes.push((await expectRejection(tried)).code);
    }
    expect(outcomes.filter((code) => code === 'validation_failed')).toHaveLength(10);
    expect(outcomes.slice(10)).toEqual(['rate_limited', 'rate_limited']);
  });
});

describe('a passkey', () => {
  it('stands in for the password and the code, once', async () => {
    const { nextCode } = await withApp();
    const { authenticator } = await withPasskey({ currentPassword: PASSWORD, code: nextCode() });
    const passkey = await answer(authenticator);
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => prove({ passkey })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await prove({ passkey: await answer(authenticator) });
    await disableTwoFactor(user.id);
    expect((await twoFactorState(user.id)).enabled).toBe(false);
  });

  it('counts only for this session, this account, and with its user verified', async () => {
    const { authenticator } = await withPasskey({ currentPassword: PASSWORD });
    const elsewhere = await signIn(user.id);
    const stranger = await signIn(await addUser(`${crypto.randomUUID()}@example.com`, passwordHash));
    const theirs = await withPasskey({ currentPassword: PASSWORD }, stranger);
    for (const passkey of [
      await answer(authenticator, elsewhere),
      await answer(authenticator, user, { verified: false }),
      await answer(authenticator, user, { origin: 'https://daylight.example' }),
      await answer(theirs.authenticator),
      authenticator.assert((await signInOptions()).challenge),
    ]) {
      expect(await fieldsOf(prove({ passkey, currentPassword: PASSWORD }))).toEqual(['passkey']);
    }
    await prove({ passkey: await answer(authenticator) });
  });
});

describe('an account without a password', () => {
  it('needs a passkey or a sign-in of the last ten minutes, and the code in any case', async () => {
    const { nextCode } = await withApp();
    const { authenticator } = await withPasskey({ currentPassword: PASSWORD, code: nextCode() });
    await db().update(users).set({ passwordHash: null }).where(eq(users.id, user.id));
    expect(await fieldsOf(prove({ currentPassword: 'anything' }))).toEqual(['code']);
    await prove({ code: nextCode() });
    await db()
      .update(sessions)
      .set({ createdAt: new Date(Date.now() - 3_600_000) })
      .where(and(eq(sessions.id, user.sessionId), eq(sessions.userId, user.id)));
    expect(await fieldsOf(prove({ code: nextCode() }))).toEqual(['currentPassword']);
    await prove({ passkey: await answer(authenticator) });
  });
});
