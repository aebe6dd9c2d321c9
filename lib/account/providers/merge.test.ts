import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { identities } from '@/db/schema/security';
import { enablePasskey, removePasskey } from '@/lib/account/passkeys/service';
import { signInMethods } from '@/lib/account/security/step-up';
import { authenticate } from '@/lib/account/sessions/service';
import { twoFactorState } from '@/lib/account/two-factor/service';
import { useFreshDatabase } from '@/test/app-database';
import {
  createFullAccount,
  enableAuthenticatorApp,
  logIn,
  makeProviderAccount,
  PASSWORD,
  setVerifiedAt,
} from '@/test/auth-fixtures';
import { expectRejection, newClientInfo } from '@/test/client-info';
import { unlinkAccount } from './service';
import { finishSignInWithCode, signInByProvider } from './sign-in';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

describe('merging with a provider', () => {
  it('leaves the provider as the only sign-in method until each other one is turned back on', async () => {
    const { id, email, tokens, key } = await createFullAccount();
    await db().delete(identities).where(eq(identities.provider, 'google'));
    const own = makeProviderAccount({ email });
    const outcome = await signInByProvider(own, newClientInfo());
    const user = 'tokens' in outcome ? await authenticate(outcome.tokens.access) : null;
    if (!user) throw new Error('not signed in');
    expect(user.id).toBe(id);
    expect(await authenticate(tokens.access)).toBeNull();
    expect((await expectRejection(key.signIn())).code).toBe('invalid_credentials');
    expect((await expectRejection(logIn(email, PASSWORD))).code).toBe('invalid_credentials');
    expect(await signInMethods(id)).toEqual({ password: false, passkeys: 0, linkedAccounts: 1 });
    // A passkey that is off is no sign-in method, so it may go, and the provider may not.
    expect((await expectRejection(unlinkAccount(user, 'google', {}, newClientInfo()))).code).toBe('conflict');
    await enablePasskey(user, key.passkey.id, {}, newClientInfo());
    await key.signIn();
    await unlinkAccount(user, 'google', {}, newClientInfo());
    expect((await expectRejection(removePasskey(user, key.passkey.id, {}, newClientInfo()))).code).toBe(
      'conflict',
    );
  });

  it('changes nothing before the code of the owner’s app is given', async () => {
    const { id, email, user, tokens, key } = await createFullAccount();
    await db().delete(identities).where(eq(identities.userId, id));
    await setVerifiedAt(id, new Date(Date.now() - 60_000));
    const { recoveryCodes } = await enableAuthenticatorApp(user);
    const own = makeProviderAccount({ email });
    expect(await signInByProvider(own, newClientInfo())).toEqual({ codeFor: id });
    const finish = (code: string) =>
      finishSignInWithCode({ userId: id, account: own }, code, newClientInfo());
    expect((await expectRejection(finish('000000'))).fields).toHaveProperty('code');
    expect(await authenticate(tokens.access)).toMatchObject({ id });
    expect(await signInMethods(id)).toEqual({ password: true, passkeys: 1, linkedAccounts: 0 });
    const signed = await finish(recoveryCodes[0] ?? '');
    expect(await authenticate(signed.access)).toMatchObject({ id });
    expect(await authenticate(tokens.access)).toBeNull();
    expect((await expectRejection(key.signIn())).code).toBe('invalid_credentials');
    expect(await signInMethods(id)).toEqual({ password: false, passkeys: 0, linkedAccounts: 1 });
    expect(await twoFactorState(id)).toEqual({ enabled: true, recoveryCodesLeft: 9 });
  });

  it('drops an app that was added before the address was confirmed', async () => {
    const { id, email, user } = await createFullAccount();
    await db().delete(identities).where(eq(identities.userId, id));
    await enableAuthenticatorApp(user);
    await setVerifiedAt(id, new Date(Date.now() + 1000));
    expect(await signInByProvider(makeProviderAccount({ email }), newClientInfo())).toHaveProperty('tokens');
    expect(await twoFactorState(id)).toEqual({ enabled: false, recoveryCodesLeft: 0 });
  });
});
