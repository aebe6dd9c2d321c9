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
import { recordAuditEvent } from '@/lib/account/activity/service';
import type { StepUpProof } from '@/lib/account/security/contract';
import { sendChangeNotice } from '@/lib/account/security/notices';
import { snapshotAccountForSession } from '@/lib/account/security/snapshot';
import { assertSignInMethodLeft, assertStepUp } from '@/lib/account/security/step-up';
import type { User } from '@/lib/account/sessions/service';
import { consumeChallenge, isOurChallenge, LIFETIME, newChallenge } from '@/lib/account/webauthn/challenge';
import { relyingParty, userHandle } from '@/lib/account/webauthn/relying-party';
import { AppError } from '@/lib/foundation/contract/errors';
import type { Client } from '@/lib/foundation/request-scope';
import type { Registration } from './contract';

/** More than anybody has devices; a list has to end somewhere. */
const MAX_PASSKEYS = 20;

const registrationPurpose = (user: User) => `add ${user.id} ${user.sessionId}`;

export function listPasskeys(userId: string) {
  return db().select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(desc(passkeys.createdAt));
}

/**
 * Returns what the browser needs to make a passkey. With it, this session may add one for five minutes without being
 * asked again.
 * @throws AppError `validation_failed`, `rate_limited`
 */
export async function passkeyOptions(user: User, proof: StepUpProof, client: Client) {
  await assertStepUp(user, proof, client);
  const known = await listPasskeys(user.id);
  return generateRegistrationOptions({
    rpName: 'Daylight',
    rpID: relyingParty().id,
    userID: userHandle(user.id),
    userName: user.email,
    userDisplayName: `${user.firstName} ${user.lastName}`,
    challenge: newChallenge(registrationPurpose(user)),
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
      return isOurChallenge(challenge, registrationPurpose(user));
    },
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  }).catch(() => ({ verified: false as const }));
  const message = 'We couldn’t add this passkey. Try again.';
  const refusal = new AppError('validation_failed', { message, fields: { credential: message } });
  if (!verification.verified) throw refusal;
  const { credential } = verification.registrationInfo;
  const added = db().transaction(async (tx) => {
    const before = await snapshotAccountForSession(tx, user);
    if (!(await consumeChallenge(tx, answered))) throw refusal;
    if ((await tx.$count(passkeys, eq(passkeys.userId, user.id))) >= MAX_PASSKEYS) {
      throw new AppError('conflict', {
        message: `You already have ${MAX_PASSKEYS} passkeys. Remove one first.`,
      });
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
    await recordAuditEvent('passkey.added', { userId: user.id, sessionId: user.sessionId }, tx);
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
export async function removePasskey(
  user: User,
  id: string,
  proof: StepUpProof,
  client: Client,
): Promise<void> {
  const mine = and(eq(passkeys.id, id), eq(passkeys.userId, user.id));
  if ((await db().$count(passkeys, mine)) === 0) throw new AppError('not_found');
  await assertStepUp(user, proof, client);
  await db().transaction(async (tx) => {
    const before = await snapshotAccountForSession(tx, user);
    const removed = await tx.delete(passkeys).where(mine).returning({ id: passkeys.id });
    if (removed.length === 0) throw new AppError('not_found');
    await assertSignInMethodLeft(tx, user.id);
    await sendChangeNotice(tx, before, 'passkey-removed');
    await recordAuditEvent('passkey.removed', { userId: user.id, sessionId: user.sessionId }, tx);
  });
}

/**
 * Lets a passkey sign in again that a reset or a merge has turned off, and tells the owner by email.
 * @throws AppError `not_found`, also for somebody else's; `validation_failed`, `rate_limited`
 */
export async function enablePasskey(user: User, id: string, proof: StepUpProof, client: Client) {
  const disabled = and(eq(passkeys.id, id), eq(passkeys.userId, user.id), isNotNull(passkeys.disabledAt));
  if ((await db().$count(passkeys, disabled)) === 0) throw new AppError('not_found');
  await assertStepUp(user, proof, client);
  return db().transaction(async (tx) => {
    const before = await snapshotAccountForSession(tx, user);
    const [enabled] = await tx.update(passkeys).set({ disabledAt: null }).where(disabled).returning();
    if (!enabled) throw new AppError('not_found');
    await sendChangeNotice(tx, before, 'passkey-enabled');
    await recordAuditEvent('passkey.enabled', { userId: user.id, sessionId: user.sessionId }, tx);
    return enabled;
  });
}
