import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestReset, resetPassword } from '@/lib/accounts/service';
import { connectTo, enableIdentity } from '@/lib/identities/service';
import { finishWithCode, signInByProvider } from '@/lib/identities/sign-in';
import { enablePasskey, listPasskeys } from '@/lib/passkeys/service';
import { authenticate, rotateSession } from '@/lib/sessions/service';
import { newestLink, useFreshDatabase, waitingMails } from '@/test/app-database';
import { newClient, refusal } from '@/test/asking';
import {
  addAccount,
  confirmAddressAt,
  logIn,
  NEW,
  newEmail,
  PASSWORD,
  providerAccount,
  reset,
  signedIn,
  withApp,
  withEverything,
  withPasskey,
} from '@/test/ways-in';
import { waysIn } from './ownership';
import { confirmEmailChange, requestEmailChange } from './service';
import { enableTwoFactor, setUpTwoFactor, twoFactorState } from './two-factor';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

describe('a stranger who had the account before its owner reset the password', () => {
  it('has no way in left: passkey, providers, app, session, waiting sign-in, address change or link', async () => {
    const stranger = await withEverything();
    const { user, tokens, google, github, key, id } = stranger;
    const victim = newEmail();
    const [first, second] = (await withApp(user)).recoveryCodes;
    // The stranger's own mailbox gets a link before the account moves to the owner's address.
    await requestReset(stranger.email);
    const oldReset = await newestLink(stranger.email, 'reset');
    await requestEmailChange(user, { email: victim, currentPassword: PASSWORD, code: first }, newClient());
    const moved = await newestLink(victim, 'change_email');
    await confirmEmailChange(user, moved.uid, moved.token);
    const next = newEmail();
    await requestEmailChange(user, { email: next, currentPassword: PASSWORD, code: second }, newClient());
    const pending = await newestLink(next, 'change_email');
    expect(await signInByProvider(google, newClient())).toEqual({ codeFor: id });

    await reset(victim);

    expect(await authenticate(tokens.access)).toBeNull();
    expect(await rotateSession(tokens.refresh)).toBeNull();
    expect((await refusal(logIn(victim, PASSWORD))).code).toBe('invalid_credentials');
    expect((await refusal(key.signIn())).code).toBe('invalid_credentials');
    for (const account of [google, github]) {
      expect(await signInByProvider(account, newClient())).toEqual({ problem: 'off' });
      // The cookie of a sign-in that waits for its code still names this account, and there's no app to ask anymore.
      const waiting = finishWithCode({ userId: id, account }, '000000', newClient());
      expect((await refusal(waiting)).code).toBe('unauthenticated');
    }
    expect((await refusal(resetPassword(oldReset.uid, oldReset.token, PASSWORD, newClient()))).code).toBe(
      'invalid_or_expired_link',
    );
    for (const link of [moved, pending]) {
      expect((await refusal(confirmEmailChange(user, link.uid, link.token))).code).toBe(
        'invalid_or_expired_link',
      );
    }
    // A request that was authenticated before the reset and goes on after it.
    expect((await refusal(withPasskey(user, NEW))).code).toBe('unauthenticated');
    expect((await refusal(connectTo(user, providerAccount()))).code).toBe('unauthenticated');
    const enabling = enablePasskey(user, key.passkey.id, { currentPassword: NEW }, newClient());
    expect((await refusal(enabling)).code).toBe('unauthenticated');
    // Only the owner is left, who isn't asked for a code of the stranger's app.
    await logIn(victim, NEW);
    expect(await twoFactorState(id)).toEqual({ enabled: false, recoveryCodesLeft: 0 });
    expect(await waysIn(id)).toEqual({ password: true, passkeys: 0, identities: 0 });
  });

  it('does not come back by ways in that are used at the very moment of the reset', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, email, user, google, key } = await withEverything();
      await requestReset(email);
      const { uid, token } = await newestLink(email, 'reset');
      const sessions = await Promise.allSettled([
        key.signIn().then(({ tokens }) => tokens),
        resetPassword(uid, token, NEW, newClient()),
        signInByProvider(google, newClient()).then((outcome) => 'tokens' in outcome && outcome.tokens),
        logIn(email, PASSWORD).then(({ tokens }) => tokens),
        withPasskey(user),
      ]);
      for (const outcome of sessions) {
        if (outcome.status !== 'fulfilled' || !outcome.value || !('access' in outcome.value)) continue;
        expect(await authenticate(outcome.value.access)).toBeNull();
      }
      expect(await waysIn(id)).toEqual({ password: true, passkeys: 0, identities: 0 });
    }
  });

  it('is not let in again by the owner’s own address at a provider that was turned off', async () => {
    const email = newEmail();
    const { user } = await signedIn(await addAccount(email));
    const account = providerAccount({ email });
    await connectTo(user, account);
    await reset(email);
    expect(await signInByProvider(account, newClient())).toEqual({ problem: 'off' });
    expect(await waysIn(user.id)).toMatchObject({ identities: 0 });
    // Another account there with this address doesn't take the place of the one that is off either.
    expect(await signInByProvider(providerAccount({ email }), newClient())).toEqual({ problem: 'taken' });
  });
});

describe('an authenticator app', () => {
  it('still asks for its code after a reset, and takes a recovery code', async () => {
    const email = newEmail();
    const id = await addAccount(email);
    await confirmAddressAt(id, new Date(Date.now() - 60_000));
    const { recoveryCodes } = await withApp((await signedIn(id)).user);
    await reset(email);
    expect((await refusal(logIn(email, NEW))).fields).toHaveProperty('code');
    await logIn(email, NEW, recoveryCodes[0]);
  });

  it('is removed by a reset when it was added before the address was confirmed', async () => {
    const email = newEmail();
    const id = await addAccount(email);
    const { user } = await signedIn(id);
    const [code] = (await withApp(user)).recoveryCodes;
    const later = newEmail();
    await requestEmailChange(user, { email: later, currentPassword: PASSWORD, code }, newClient());
    const { uid, token } = await newestLink(later, 'change_email');
    await confirmEmailChange(user, uid, token);
    expect((await refusal(logIn(later, PASSWORD))).fields).toHaveProperty('code');
    await reset(later);
    await logIn(later, NEW);
    expect(await twoFactorState(id)).toEqual({ enabled: false, recoveryCodesLeft: 0 });
  });

  it('that only waits for its first code is forgotten', async () => {
    const email = newEmail();
    const id = await addAccount(email);
    const { secret } = await setUpTwoFactor({ id, email });
    await reset(email);
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    expect((await refusal(enableTwoFactor(id, code, newClient()))).code).toBe('conflict');
  });
});

describe('the owner, signed in after a reset', () => {
  it('turns a passkey back on with the password, and nobody else’s', async () => {
    const { id, email, key } = await withEverything();
    await reset(email);
    const { user } = await signedIn(id);
    expect((await listPasskeys(id)).map(({ disabledAt }) => disabledAt)).toEqual([expect.any(Date)]);
    const wrong = enablePasskey(user, key.passkey.id, { currentPassword: 'wrong' }, newClient());
    expect((await refusal(wrong)).fields).toHaveProperty('currentPassword');
    const other = await signedIn(await addAccount());
    const foreign = enablePasskey(other.user, key.passkey.id, { currentPassword: PASSWORD }, newClient());
    expect((await refusal(foreign)).code).toBe('not_found');
    await enablePasskey(user, key.passkey.id, { currentPassword: NEW }, newClient());
    expect(await authenticate((await key.signIn()).tokens.access)).toMatchObject({ id });
    expect((await waitingMails(email)).map(({ subject }) => subject)).toContain(
      'A passkey was turned back on for your journal',
    );
    expect(
      (await refusal(enablePasskey(user, key.passkey.id, { currentPassword: NEW }, newClient()))).code,
    ).toBe('not_found');
  });

  it('turns one provider back on with the password, and the other stays off', async () => {
    const { id, email, google, github } = await withEverything();
    await reset(email);
    const { user } = await signedIn(id);
    const wrong = enableIdentity(user, 'google', { currentPassword: 'wrong' }, newClient());
    expect((await refusal(wrong)).fields).toHaveProperty('currentPassword');
    await enableIdentity(user, 'google', { currentPassword: NEW }, newClient());
    expect(await signInByProvider(google, newClient())).toHaveProperty('tokens');
    expect(await signInByProvider(github, newClient())).toEqual({ problem: 'off' });
    expect((await refusal(enableIdentity(user, 'google', { currentPassword: NEW }, newClient()))).code).toBe(
      'not_found',
    );
  });
});
