import { afterAll, beforeAll } from 'vitest';
import { findInvitedAddress, listInvitations } from '@/lib/account/invitations/service';
import { addPasskey, passkeyOptions, removePasskey } from '@/lib/account/passkeys/service';
import { signInWithPasskey } from '@/lib/account/passkeys/sign-in';
import { signInByProvider } from '@/lib/account/providers/sign-in';
import { register, requestReset, resetPassword } from '@/lib/account/registration/service';
import { verifyEmail } from '@/lib/account/registration/verification';
import { findNotice, undoNotice } from '@/lib/account/security/notices';
import {
  changePassword,
  confirmEmailChange,
  findEmailChange,
  rejectEmailChange,
  requestEmailChange,
} from '@/lib/account/security/service';
import { authenticate, rotateSession } from '@/lib/account/sessions/service';
import { invite } from '@/lib/operations/operators/service';
import { createUnsubscribeLinks, readUnsubscribeToken } from '@/lib/reminders/links';
import { latestEmailLink, useFreshDatabase } from './app-database';
import {
  createAccount,
  makeProviderAccount,
  NEW_PASSWORD,
  newChallenge,
  newEmail,
  newUser,
  PASSWORD,
  registerPasskey,
  signInUser,
  signupDetails,
  userHandle,
} from './auth-fixtures';
import { createVirtualAuthenticator } from './authenticator';
import { newClientInfo } from './client-info';
import { DAY, HOUR, type Lifetime, MINUTE, passHere, passIn, testLifetimes, works } from './lifetimes';
import { latestNoticeLink } from './security-notices';

// Whatever gives access for a while works until just before its end, and not after it, wherever it's used.

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase({ settings: { SIGNUP: 'invite' } });
});
afterAll(() => takeDown());

const tokenIn = (text: string) => /invite=([\w-]{43})/.exec(text)?.[1] ?? '';

async function inviteSomebody() {
  const email = newEmail();
  const token = tokenIn(await invite(email));
  return { email, token };
}

async function requestChange() {
  const user = await newUser();
  const to = newEmail();
  await requestEmailChange(user, { email: to, currentPassword: PASSWORD }, newClientInfo());
  return { user, ...(await latestEmailLink(to, 'change_email')) };
}

async function changeSomething() {
  const email = newEmail();
  const { user } = await signInUser(await createAccount(email));
  await changePassword(user, { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }, newClientInfo());
  return latestNoticeLink(email, 'Your password was changed');
}

const INVITATIONS: Lifetime[] = [
  {
    what: 'an invitation, for signing up with its link',
    create: async () => {
      const { email, token } = await inviteSomebody();
      return () => works(register({ ...signupDetails(email), invite: token }, newClientInfo()));
    },
  },
  {
    what: 'an invitation, for the page that its link opens',
    create: async () => {
      const { email, token } = await inviteSomebody();
      return async () => (await findInvitedAddress(token)) === email;
    },
  },
  {
    what: 'an invitation, for signing in with a provider that has its address',
    create: async () => {
      const { email } = await inviteSomebody();
      return async () =>
        'tokens' in (await signInByProvider(makeProviderAccount({ email }), newClientInfo()));
    },
  },
  {
    what: 'an invitation, in the operator’s list',
    create: async () => {
      const { email } = await inviteSomebody();
      return async () => (await listInvitations()).some((invitation) => invitation.email === email);
    },
  },
].map((one) => ({ ...one, lifetime: 14 * DAY, pass: passIn('invitations') }));

const LINKS: Lifetime[] = [
  {
    what: 'a link that verifies an address',
    lifetime: 72 * HOUR,
    pass: passIn('mail_links'),
    create: async () => {
      const { email, token: invitation } = await inviteSomebody();
      await register({ ...signupDetails(email), invite: invitation }, newClientInfo());
      const { uid, token } = await latestEmailLink(email, 'verify_email');
      return () => works(verifyEmail(uid, token));
    },
  },
  {
    what: 'a link that sets a new password',
    lifetime: HOUR,
    pass: passIn('mail_links'),
    create: async () => {
      const email = newEmail();
      await createAccount(email);
      await requestReset(email);
      const { uid, token } = await latestEmailLink(email, 'reset');
      return () => works(resetPassword(uid, token, NEW_PASSWORD, newClientInfo()));
    },
  },
  {
    what: 'a link to a new address, for confirming it',
    lifetime: 24 * HOUR,
    pass: passIn('mail_links'),
    create: async () => {
      const { user, uid, token } = await requestChange();
      return () => works(confirmEmailChange(user, uid, token));
    },
  },
  {
    what: 'a link to a new address, for rejecting it',
    lifetime: 24 * HOUR,
    pass: passIn('mail_links'),
    create: async () => {
      const { uid, token } = await requestChange();
      return () => works(rejectEmailChange(uid, token));
    },
  },
  {
    what: 'a link to a new address, for the page that it opens',
    lifetime: 24 * HOUR,
    pass: passIn('mail_links'),
    create: async () => {
      const { user, uid, token } = await requestChange();
      return async () => (await findEmailChange(uid, token, user)).state === 'here';
    },
  },
  {
    what: 'a security notice, for undoing the change',
    lifetime: 72 * HOUR,
    pass: passIn('security_notices'),
    create: async () => {
      const { uid, token } = await changeSomething();
      return () => works(undoNotice(uid, token));
    },
  },
  {
    what: 'a security notice, for the page that its link opens',
    lifetime: 72 * HOUR,
    pass: passIn('security_notices'),
    create: async () => {
      const { uid, token } = await changeSomething();
      return async () => (await findNotice(uid, token)) !== null;
    },
  },
  {
    what: 'a link that turns reminders off',
    lifetime: 365 * DAY,
    skew: 15,
    pass: passHere,
    create: async () => {
      const { page } = await createUnsubscribeLinks(crypto.randomUUID(), 'reminder');
      return async () => (await readUnsubscribeToken(page.split('/').at(-1) ?? '')) !== null;
    },
  },
];

const CHALLENGES: Lifetime[] = [
  {
    what: 'a passkey’s challenge, for signing in',
    create: async () => {
      const { authenticator } = await registerPasskey(await newUser());
      const answer = authenticator.assert(await newChallenge());
      return () => works(signInWithPasskey(answer, newClientInfo()));
    },
  },
  {
    what: 'a passkey’s challenge, for adding one',
    create: async () => {
      const user = await newUser();
      const { challenge } = await passkeyOptions(user, { currentPassword: PASSWORD }, newClientInfo());
      const credential = createVirtualAuthenticator(userHandle(user)).register(challenge);
      return () => works(addPasskey(user, { name: 'A key', credential }));
    },
  },
  {
    what: 'a passkey’s challenge, for confirming a change',
    create: async () => {
      const user = await newUser();
      const { passkey, confirm } = await registerPasskey(user);
      const proof = { passkey: await confirm(user) };
      return () => works(removePasskey(user, passkey.id, proof, newClientInfo()));
    },
  },
].map((one) => ({ ...one, lifetime: 5 * MINUTE, pass: passHere }));

const COOKIES: Lifetime[] = [
  {
    what: 'an access cookie',
    lifetime: 15 * MINUTE,
    pass: passHere,
    create: async () => {
      const { tokens } = await signInUser(await createAccount());
      return async () => (await authenticate(tokens.access)) !== null;
    },
  },
  {
    what: 'a refresh cookie',
    lifetime: 30 * DAY,
    pass: passIn('refresh_tokens'),
    create: async () => {
      const { tokens } = await signInUser(await createAccount());
      return async () => (await rotateSession(tokens.refresh)) !== null;
    },
  },
];

testLifetimes([...INVITATIONS, ...LINKS, ...CHALLENGES, ...COOKIES]);
