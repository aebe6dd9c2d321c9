import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { identities, passkeys } from '@/db/schema/security';
import { linkAccount } from '@/lib/account/providers/service';
import { useFreshDatabase } from '@/test/app-database';
import { enableAuthenticatorApp, makeProviderAccount, newUser, registerPasskey } from '@/test/auth-fixtures';
import { findFactors, signInMethods } from './step-up';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

it('an account is asked for what it has, and nothing that’s turned off', async () => {
  const user = await newUser();
  await registerPasskey(await newUser());
  const expectOf = async (factors: object, methods: object) => {
    expect(await findFactors(user.id)).toEqual(factors);
    expect(await signInMethods(user.id)).toEqual(methods);
  };
  await expectOf(
    { password: true, code: false, passkey: false },
    { password: true, passkeys: 0, linkedAccounts: 0 },
  );
  await linkAccount(user, makeProviderAccount());
  await registerPasskey(user);
  await enableAuthenticatorApp(user);
  await expectOf(
    { password: true, code: true, passkey: true },
    { password: true, passkeys: 1, linkedAccounts: 1 },
  );
  for (const table of [passkeys, identities])
    await db().update(table).set({ disabledAt: new Date() }).where(eq(table.userId, user.id));
  await db().update(users).set({ passwordHash: null }).where(eq(users.id, user.id));
  await expectOf(
    { password: false, code: true, passkey: false },
    { password: false, passkeys: 0, linkedAccounts: 0 },
  );
});
