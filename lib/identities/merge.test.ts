import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { identities } from '@/db/schema/security';
import { enablePasskey, removePasskey } from '@/lib/passkeys/service';
import { waysIn } from '@/lib/security/ownership';
import { twoFactorState } from '@/lib/security/two-factor';
import { authenticate } from '@/lib/sessions/service';
import { useFreshDatabase } from '@/test/app-database';
import { newClient, refusal } from '@/test/asking';
import { confirmAddressAt, logIn, PASSWORD, providerAccount, withApp, withEverything } from '@/test/ways-in';
import { disconnect } from './service';
import { finishWithCode, signInByProvider } from './sign-in';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

describe('merging with a provider', () => {
  it('leaves the provider as the only way in, until each other one is turned back on', async () => {
    const { id, email, tokens, key } = await withEverything();
    await db().delete(identities).where(eq(identities.provider, 'google'));
    const own = providerAccount({ email });
    const outcome = await signInByProvider(own, newClient());
    const user = 'tokens' in outcome ? await authenticate(outcome.tokens.access) : null;
    if (!user) throw new Error('not signed in');
    expect(user.id).toBe(id);
    expect(await authenticate(tokens.access)).toBeNull();
    expect((await refusal(key.signIn())).code).toBe('invalid_credentials');
    expect((await refusal(logIn(email, PASSWORD))).code).toBe('invalid_credentials');
    expect(await waysIn(id)).toEqual({ password: false, passkeys: 0, identities: 1 });
    // A passkey that is off is no way in, so it may go, and the provider may not.
    expect((await refusal(disconnect(user, 'google', {}, newClient()))).code).toBe('conflict');
    await enablePasskey(user, key.passkey.id, {}, newClient());
    await key.signIn();
    await disconnect(user, 'google', {}, newClient());
    expect((await refusal(removePasskey(user, key.passkey.id, {}, newClient()))).code).toBe('conflict');
  });

  it('changes nothing before the code of the owner’s app is given', async () => {
    const { id, email, user, tokens, key } = await withEverything();
    await db().delete(identities).where(eq(identities.userId, id));
    await confirmAddressAt(id, new Date(Date.now() - 60_000));
    const { recoveryCodes } = await withApp(user);
    const own = providerAccount({ email });
    expect(await signInByProvider(own, newClient())).toEqual({ codeFor: id });
    const finish = (code: string) => finishWithCode({ userId: id, account: own }, code, newClient());
    expect((await refusal(finish('000000'))).fields).toHaveProperty('code');
    expect(await authenticate(tokens.access)).toMatchObject({ id });
    expect(await waysIn(id)).toEqual({ password: true, passkeys: 1, identities: 0 });
    const signed = await finish(recoveryCodes[0] ?? '');
    expect(await authenticate(signed.access)).toMatchObject({ id });
    expect(await authenticate(tokens.access)).toBeNull();
    expect((await refusal(key.signIn())).code).toBe('invalid_credentials');
    expect(await waysIn(id)).toEqual({ password: false, passkeys: 0, identities: 1 });
    expect(await twoFactorState(id)).toEqual({ enabled: true, recoveryCodesLeft: 9 });
  });

  it('drops an app that was added before the address was confirmed', async () => {
    const { id, email, user } = await withEverything();
    await db().delete(identities).where(eq(identities.userId, id));
    await withApp(user);
    await confirmAddressAt(id, new Date(Date.now() + 1000));
    expect(await signInByProvider(providerAccount({ email }), newClient())).toHaveProperty('tokens');
    expect(await twoFactorState(id)).toEqual({ enabled: false, recoveryCodesLeft: 0 });
  });
});
