import { eq } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { addPasskey, passkeyOptions } from '@/lib/account/passkeys/service';
import { signInOptions, signInWithPasskey } from '@/lib/account/passkeys/sign-in';
import { hashPassword } from '@/lib/account/passwords/passwords';
import type { ProviderAccount } from '@/lib/account/providers/providers';
import { linkAccount } from '@/lib/account/providers/service';
import { login, register, requestReset, resetPassword } from '@/lib/account/registration/service';
import { verifyEmail } from '@/lib/account/registration/verification';
import { confirmOptions } from '@/lib/account/security/step-up';
import { createSession } from '@/lib/account/sessions/create-session';
import { authenticate, type User } from '@/lib/account/sessions/service';
import { enableTwoFactor, setUpTwoFactor } from '@/lib/account/two-factor/service';
import { addUser, latestEmailLink } from './app-database';
import { createVirtualAuthenticator } from './authenticator';
import { newClientInfo } from './client-info';

/** The password of every account made here, and the one that a reset sets. */
export const PASSWORD = 'three quiet lamps';
export const NEW_PASSWORD = 'four loud lanterns';

export const newEmail = () => `${crypto.randomUUID()}@example.com`;

export const makeProviderAccount = (more: Partial<ProviderAccount> = {}): ProviderAccount => ({
  provider: 'google',
  id: crypto.randomUUID(),
  email: newEmail(),
  firstName: 'Eve',
  lastName: 'Lurker',
  ...more,
});

export async function signInUser(id: string) {
  const tokens = await db().transaction((tx) =>
    createSession(tx, { id, verified: true }, newClientInfo(), 'password'),
  );
  const user = await authenticate(tokens.access);
  if (!user) throw new Error('not signed in');
  return { tokens, user };
}

/** Returns a challenge for a sign-in with a passkey. */
export const newChallenge = async () => (await signInOptions()).challenge;

/** Returns the user handle that an account's passkeys carry. */
export const userHandle = ({ id }: User) => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');

export async function registerPasskey(user: User, password = PASSWORD) {
  const authenticator = createVirtualAuthenticator(userHandle(user));
  const { challenge } = await passkeyOptions(user, { currentPassword: password }, newClientInfo());
  const passkey = await addPasskey(user, { name: 'A key', credential: authenticator.register(challenge) });
  const signIn = async () => signInWithPasskey(authenticator.assert(await newChallenge()), newClientInfo());
  const confirm = async (as: User) => authenticator.assert((await confirmOptions(as)).challenge);
  return { authenticator, passkey, signIn, confirm };
}

/** Adds an app; its next code is a new one, as a code works once. */
export async function enableAuthenticatorApp(user: User) {
  const { secret } = await setUpTwoFactor(user);
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const recoveryCodes = await enableTwoFactor(user.id, totp.generate(), newClientInfo());
  return { recoveryCodes };
}

export async function resetPasswordByEmail(email: string, password = NEW_PASSWORD): Promise<void> {
  await requestReset(email);
  const { uid, token } = await latestEmailLink(email, 'reset');
  await resetPassword(uid, token, password, newClientInfo());
}

export const logIn = (email: string, password: string, code?: string) =>
  login({ email, password, code }, newClientInfo());

export const signupDetails = (email: string, password = PASSWORD) => ({
  email,
  password,
  firstName: 'Ada',
  lastName: 'Lovelace',
  gender: 'female' as const,
  dateOfBirth: '1990-12-10',
});

/** Signs a person up and verifies the address by its mail, as a browser would. Returns the link's user id too. */
export async function registerAccount(email = newEmail()): Promise<{ email: string; uid: string }> {
  await register(signupDetails(email), newClientInfo());
  const { uid, token } = await latestEmailLink(email, 'verify_email');
  await verifyEmail(uid, token);
  return { email, uid };
}

/** A verified account with a password alone. Answers its id. */
export const createAccount = async (email = newEmail()) => addUser(email, await hashPassword(PASSWORD));

/** Makes a verified account with a password alone, and signs it in. */
export const newUser = async () => (await signInUser(await createAccount())).user;

/** An account with every sign-in method, all of one person. */
export async function createFullAccount(email = newEmail()) {
  const id = await createAccount(email);
  const { user, tokens } = await signInUser(id);
  const google = makeProviderAccount();
  const github = makeProviderAccount({ provider: 'github' });
  for (const account of [google, github]) await linkAccount(user, account);
  const key = await registerPasskey(user);
  return { id, email, user, tokens, google, github, key };
}

/** Puts the moment at which an account's current address was confirmed. */
export const setVerifiedAt = (id: string, verifiedAt: Date) =>
  db().update(users).set({ verifiedAt }).where(eq(users.id, id));
