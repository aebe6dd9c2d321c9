import {
  generateRegistrationOptions,
  type VerifiedRegistrationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { and, desc, eq, isNotNull } from 'drizzle-orm';
import { parse as idToBytes, v7 as uuidv7 } from 'uuid';
import { db } from '@/db/client';
import { isUniqueViolation } from '@/db/errors';
import { passkeys } from '@/db/schema/security';
import { lockAccountOf } from '@/lib/accounts/locks';
import { passkeyAddedMail, passkeyEnabledMail, passkeyRemovedMail } from '@/lib/accounts/mails';
import { note } from '@/lib/audit/service';
import { env } from '@/lib/env';
import type { Client } from '@/lib/http/client-address';
import { AppError } from '@/lib/http/errors';
import { enqueueMail } from '@/lib/outbox/service';
import { assertOwner, assertWayLeft } from '@/lib/security/ownership';
import type { User } from '@/lib/sessions/service';
import { isOurChallenge, LIFETIME, newChallenge, spendChallenge } from './challenge';
import type { Registration } from './contract';

/** More than anybody has devices; a list has to end somewhere. */
const MOST = 20;

/** The site as authenticators know it, by APP_URL and never by a request's Host. */
export function relyingParty(): { id: string; origin: string } {
  const { hostname, origin } = new URL(env().APP_URL);
  return { id: hostname, origin };
}

/** The account as authenticators keep it: its id's 16 bytes, which tell nobody who it is (WebAuthn 3, 14.6.1). */
export function userHandle(userId: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(idToBytes(userId));
}

const adding = (user: User) => `add ${user.id} ${user.sessionId}`;

export function listPasskeys(userId: string) {
  return db().select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(desc(passkeys.createdAt));
}

/**
 * What the browser needs to make a passkey. Having got it, this session may add one for five minutes without being
 * asked for the password again.
 * @throws AppError `validation_failed`, `rate_limited`
 */
export async function passkeyOptions(user: User, currentPassword: string | undefined, client: Client) {
  await assertOwner(user, currentPassword, client);
  const known = await listPasskeys(user.id);
  return generateRegistrationOptions({
    ...{ rpName: 'Daylight', rpID: relyingParty().id },
    ...{ userID: userHandle(user.id), userName: user.email },
    userDisplayName: `${user.firstName} ${user.lastName}`,
    challenge: newChallenge(adding(user)),
    timeout: LIFETIME,
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/**
 * Keeps a passkey and tells the owner by mail.
 * @throws AppError `validation_failed` when the answer is not one to our challenge, `conflict` when the passkey is
 * known already or there are too many, `unauthenticated` when the session has ended in the meantime
 */
export async function addPasskey(user: User, input: { name: string; credential: Registration }) {
  const { id: rpID, origin } = relyingParty();
  let answered = '';
  const verification: VerifiedRegistrationResponse = await verifyRegistrationResponse({
    response: { ...input.credential, clientExtensionResults: {} },
    expectedChallenge: (challenge) => {
      answered = challenge;
      return isOurChallenge(challenge, adding(user));
    },
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  }).catch(() => ({ verified: false as const }));
  const refusal = new AppError('validation_failed', {
    message: 'This passkey could not be added. Please try again.',
  });
  if (!verification.verified) throw refusal;
  const { credential } = verification.registrationInfo;
  const added = db().transaction(async (tx) => {
    await lockAccountOf(tx, user);
    if (!(await spendChallenge(tx, answered))) throw refusal;
    if ((await tx.$count(passkeys, eq(passkeys.userId, user.id))) >= MOST) {
      throw new AppError('conflict', { message: `You have ${MOST} passkeys. Please remove one first.` });
    }
    const [passkey] = await tx
      .insert(passkeys)
      .values({
        ...{ id: uuidv7(), userId: user.id, name: input.name, credentialId: credential.id },
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        ...{ counter: credential.counter, transports: input.credential.response.transports ?? [] },
      })
      .returning();
    if (!passkey) throw new Error('nothing was inserted');
    await enqueueMail(tx, await passkeyAddedMail(user, passkey.name));
    await note('passkey.added', { userId: user.id, sessionId: user.sessionId }, tx);
    return passkey;
  });
  return added.catch((error: unknown) => {
    throw isUniqueViolation(error)
      ? new AppError('conflict', { message: 'This passkey is in use already.' })
      : error;
  });
}

/** Gives a passkey another name. @throws AppError `not_found`, also for somebody else's */
export async function renamePasskey(userId: string, id: string, name: string) {
  const [renamed] = await db()
    .update(passkeys)
    .set({ name })
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .returning();
  if (!renamed) throw new AppError('not_found');
  return renamed;
}

/**
 * Forgets a passkey and tells the owner by mail.
 * @throws AppError `not_found`, also for somebody else's; `validation_failed`, `rate_limited`; `conflict` when it is
 * the last way into the account
 */
export async function removePasskey(
  user: User,
  id: string,
  currentPassword: string | undefined,
  client: Client,
): Promise<void> {
  const mine = and(eq(passkeys.id, id), eq(passkeys.userId, user.id));
  if ((await db().$count(passkeys, mine)) === 0) throw new AppError('not_found');
  await assertOwner(user, currentPassword, client);
  await db().transaction(async (tx) => {
    await lockAccountOf(tx, user);
    const [removed] = await tx.delete(passkeys).where(mine).returning({ name: passkeys.name });
    if (!removed) throw new AppError('not_found');
    await assertWayLeft(tx, user.id);
    await enqueueMail(tx, await passkeyRemovedMail(user, removed.name));
    await note('passkey.removed', { userId: user.id, sessionId: user.sessionId }, tx);
  });
}

/**
 * Lets a passkey sign in again that a reset or a merge has turned off, and tells the owner by email.
 * @throws AppError `not_found`, also for somebody else's; `validation_failed`, `rate_limited`
 */
export async function enablePasskey(
  user: User,
  id: string,
  currentPassword: string | undefined,
  client: Client,
) {
  const disabled = and(eq(passkeys.id, id), eq(passkeys.userId, user.id), isNotNull(passkeys.disabledAt));
  if ((await db().$count(passkeys, disabled)) === 0) throw new AppError('not_found');
  await assertOwner(user, currentPassword, client);
  return db().transaction(async (tx) => {
    await lockAccountOf(tx, user);
    const [enabled] = await tx.update(passkeys).set({ disabledAt: null }).where(disabled).returning();
    if (!enabled) throw new AppError('not_found');
    await enqueueMail(tx, await passkeyEnabledMail(user, enabled.name));
    await note('passkey.enabled', { userId: user.id, sessionId: user.sessionId }, tx);
    return enabled;
  });
}
