import {
  generateRegistrationOptions,
  type VerifiedRegistrationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { and, desc, eq, isNotNull } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { db } from '@/db/client';
import { isUniqueViolation } from '@/db/errors';
import { passkeys } from '@/db/schema/security';
import { note } from '@/lib/audit/service';
import { AppError } from '@/lib/contract/errors';
import type { Client } from '@/lib/request-scope';
import type { Proof } from '@/lib/security/contract';
import { sendChangeNotice } from '@/lib/security/notices';
import { assertOwner, assertWayLeft } from '@/lib/security/ownership';
import { stateBeforeOf } from '@/lib/security/snapshot';
import type { User } from '@/lib/sessions/service';
import { isOurChallenge, LIFETIME, newChallenge, spendChallenge } from '@/lib/webauthn/challenge';
import { relyingParty, userHandle } from '@/lib/webauthn/relying-party';
import type { Registration } from './contract';

/** More than anybody has devices; a list has to end somewhere. */
const MOST = 20;

const adding = (user: User) => `add ${user.id} ${user.sessionId}`;

export function listPasskeys(userId: string) {
  return db().select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(desc(passkeys.createdAt));
}

/**
 * Returns what the browser needs to make a passkey. With it, this session may add one for five minutes without being
 * asked again.
 * @throws AppError `validation_failed`, `rate_limited`
 */
export async function passkeyOptions(user: User, proof: Proof, client: Client) {
  await assertOwner(user, proof, client);
  const known = await listPasskeys(user.id);
  return generateRegistrationOptions({
    rpName: 'Daylight',
    rpID: relyingParty().id,
    userID: userHandle(user.id),
    userName: user.email,
    userDisplayName: `${user.firstName} ${user.lastName}`,
    challenge: newChallenge(adding(user)),
    timeout: LIFETIME,
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/**
 * Keeps a passkey and tells the owner by email.
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
  const message = "We couldn't add this passkey. Try again.";
  const refusal = new AppError('validation_failed', { message, fields: { credential: message } });
  if (!verification.verified) throw refusal;
  const { credential } = verification.registrationInfo;
  const added = db().transaction(async (tx) => {
    const before = await stateBeforeOf(tx, user);
    if (!(await spendChallenge(tx, answered))) throw refusal;
    if ((await tx.$count(passkeys, eq(passkeys.userId, user.id))) >= MOST) {
      throw new AppError('conflict', { message: `You have ${MOST} passkeys. Please remove one first.` });
    }
    const [passkey] = await tx
      .insert(passkeys)
      .values({
        id: uuidv7(),
        userId: user.id,
        name: input.name,
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: input.credential.response.transports ?? [],
      })
      .returning();
    if (!passkey) throw new Error('nothing was inserted');
    await sendChangeNotice(tx, before, 'passkey-added');
    await note('passkey.added', { userId: user.id, sessionId: user.sessionId }, tx);
    return passkey;
  });
  return added.catch((error: unknown) => {
    throw isUniqueViolation(error)
      ? new AppError('conflict', { message: 'This passkey is already in use.' })
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
 * Forgets a passkey and tells the owner by email.
 * @throws AppError `not_found`, also for somebody else's; `validation_failed`, `rate_limited`; `conflict` when it is
 * the last way into the account
 */
export async function removePasskey(user: User, id: string, proof: Proof, client: Client): Promise<void> {
  const mine = and(eq(passkeys.id, id), eq(passkeys.userId, user.id));
  if ((await db().$count(passkeys, mine)) === 0) throw new AppError('not_found');
  await assertOwner(user, proof, client);
  await db().transaction(async (tx) => {
    const before = await stateBeforeOf(tx, user);
    const removed = await tx.delete(passkeys).where(mine).returning({ id: passkeys.id });
    if (removed.length === 0) throw new AppError('not_found');
    await assertWayLeft(tx, user.id);
    await sendChangeNotice(tx, before, 'passkey-removed');
    await note('passkey.removed', { userId: user.id, sessionId: user.sessionId }, tx);
  });
}

/**
 * Lets a passkey sign in again that a reset or a merge has turned off, and tells the owner by email.
 * @throws AppError `not_found`, also for somebody else's; `validation_failed`, `rate_limited`
 */
export async function enablePasskey(user: User, id: string, proof: Proof, client: Client) {
  const disabled = and(eq(passkeys.id, id), eq(passkeys.userId, user.id), isNotNull(passkeys.disabledAt));
  if ((await db().$count(passkeys, disabled)) === 0) throw new AppError('not_found');
  await assertOwner(user, proof, client);
  return db().transaction(async (tx) => {
    const before = await stateBeforeOf(tx, user);
    const [enabled] = await tx.update(passkeys).set({ disabledAt: null }).where(disabled).returning();
    if (!enabled) throw new AppError('not_found');
    await sendChangeNotice(tx, before, 'passkey-enabled');
    await note('passkey.enabled', { userId: user.id, sessionId: user.sessionId }, tx);
    return enabled;
  });
}
