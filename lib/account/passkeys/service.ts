import type { VerifiedRegistrationResponse } from '@simplewebauthn/server';
import { and, desc, eq, isNotNull } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { db } from '@/db/client';
import { isUniqueViolation } from '@/db/errors';
import { passkeys } from '@/db/schema/security';
import type { StepUpProof } from '@/lib/account/security/contract';
import { changeAccount } from '@/lib/account/security/notices';
import { assertStepUp, changeSignInMethod } from '@/lib/account/security/step-up';
import type { User } from '@/lib/account/sessions/service';
import { relyingParty, userHandle, webAuthn } from '@/lib/account/webauthn/assertion';
import { consumeChallenge, isOurChallenge, LIFETIME, newChallenge } from '@/lib/account/webauthn/challenge';
import { AppError } from '@/lib/foundation/contract/errors';
import type { Client } from '@/lib/foundation/request-scope';
import type { PasskeySummary, Registration } from './contract';

/** More than anybody has devices; a list has to end somewhere. */
const MAX_PASSKEYS = 20;

const registrationPurpose = (user: User) => `add ${user.id} ${user.sessionId}`;

const ofUser = (userId: string) => eq(passkeys.userId, userId);

/** A passkey as the wire has it: without its key. */
const present = ({
  id,
  name,
  createdAt,
  lastUsedAt,
  disabledAt,
}: typeof passkeys.$inferSelect): PasskeySummary => ({
  id,
  name,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
  disabled: disabledAt !== null,
});

/** Returns an account's passkeys, newest first. */
export async function listPasskeys(userId: string): Promise<PasskeySummary[]> {
  const rows = await db().select().from(passkeys).where(ofUser(userId)).orderBy(desc(passkeys.createdAt));
  return rows.map(present);
}

/**
 * Returns what the browser needs to make a passkey. With it, this session may add one for five minutes without being
 * asked again.
 * @throws AppError `validation_failed`, `rate_limited`
 */
export async function passkeyOptions(user: User, proof: StepUpProof, client: Client) {
  await assertStepUp(user, proof, client);
  const known = await db()
    .select({ id: passkeys.credentialId, transports: passkeys.transports })
    .from(passkeys)
    .where(ofUser(user.id))
    .orderBy(desc(passkeys.createdAt));
  return (await webAuthn()).generateRegistrationOptions({
    rpName: 'Daylight',
    rpID: relyingParty().id,
    userID: userHandle(user.id),
    userName: user.email,
    userDisplayName: `${user.firstName} ${user.lastName}`,
    challenge: newChallenge(registrationPurpose(user)),
    timeout: LIFETIME,
    attestationType: 'none',
    excludeCredentials: known,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/**
 * Keeps a passkey and tells the owner by email.
 * @throws AppError `validation_failed` when the answer is not one to our challenge, `conflict` when the passkey is
 * known already or there are too many, `unauthenticated` when the session has ended in the meantime
 */
export async function addPasskey(
  user: User,
  input: { name: string; credential: Registration },
): Promise<PasskeySummary> {
  const { id: rpID, origin } = relyingParty();
  let answered = '';
  const { verifyRegistrationResponse } = await webAuthn();
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
  const change = { notice: 'passkey-added', event: 'passkey.added' } as const;
  const added = changeAccount(user, change, async (tx) => {
    if (!(await consumeChallenge(tx, answered))) throw refusal;
    if ((await tx.$count(passkeys, ofUser(user.id))) >= MAX_PASSKEYS) {
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
    return present(passkey);
  });
  return added.catch((error: unknown) => {
    throw isUniqueViolation(error)
      ? new AppError('conflict', { message: 'This passkey is already in use.' })
      : error;
  });
}

/** Gives a passkey another name. @throws AppError `not_found`, also for somebody else's */
export async function renamePasskey(userId: string, id: string, name: string): Promise<PasskeySummary> {
  const [renamed] = await db()
    .update(passkeys)
    .set({ name })
    .where(and(eq(passkeys.id, id), ofUser(userId)))
    .returning();
  if (!renamed) throw new AppError('not_found');
  return present(renamed);
}

/** Removes a passkey. Throws like {@link changeSignInMethod}. */
export async function removePasskey(
  user: User,
  id: string,
  proof: StepUpProof,
  client: Client,
): Promise<void> {
  const own = and(eq(passkeys.id, id), ofUser(user.id));
  const change = { notice: 'passkey-removed', event: 'passkey.removed' } as const;
  await changeSignInMethod(user, proof, client, [passkeys, own], change, (tx) =>
    tx.delete(passkeys).where(own).returning({ id: passkeys.id }),
  );
}

/** Turns a passkey back on that a reset or a merge has turned off. Throws like {@link changeSignInMethod}. */
export async function enablePasskey(
  user: User,
  id: string,
  proof: StepUpProof,
  client: Client,
): Promise<PasskeySummary> {
  const disabled = and(eq(passkeys.id, id), ofUser(user.id), isNotNull(passkeys.disabledAt));
  const change = { notice: 'passkey-enabled', event: 'passkey.enabled' } as const;
  const enabled = await changeSignInMethod(user, proof, client, [passkeys, disabled], change, (tx) =>
    tx.update(passkeys).set({ disabledAt: null }).where(disabled).returning(),
  );
  return present(enabled);
}
