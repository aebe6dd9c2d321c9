import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { lt, sql } from 'drizzle-orm';
import { db, type Transaction } from '@/db/client';
import { spentChallenges } from '@/db/schema/security';
import { hashToken } from '@/lib/account/sessions/tokens';
import { env } from '@/lib/foundation/env';

/** How long a challenge may be answered, in milliseconds. */
export const LIFETIME = 5 * 60 * 1000;

const RANDOM = 16;
const HEAD = RANDOM + 8;

function signChallenge(head: Buffer, purpose: string, secret: string): Buffer {
  return createHmac('sha256', secret)
    .update(`daylight passkey challenge\0${purpose}\0`)
    .update(head)
    .digest();
}

/**
 * A challenge that carries its own end and our seal of it, so that asking for one writes nothing: 16 random bytes
 * (WebAuthn 3, 13.4.3), the end in milliseconds since 1970, and an HMAC over both.
 * @param purpose what it is good for; only the same one accepts it
 */
export function newChallenge(purpose: string): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(HEAD);
  randomBytes(RANDOM).copy(head);
  head.writeBigUInt64BE(BigInt(Date.now() + LIFETIME), RANDOM);
  const [newest] = env().AUTH_SECRET;
  return Uint8Array.from(Buffer.concat([head, signChallenge(head, purpose, newest)]));
}

/** Whether we have made this challenge for this purpose within the last five minutes. */
export function isOurChallenge(challenge: string, purpose: string): boolean {
  const bytes = Buffer.from(challenge, 'base64url');
  const head = bytes.subarray(0, HEAD);
  const sealed = bytes.subarray(HEAD);
  if (head.length < HEAD || sealed.length !== 32) return false;
  const isOurs = env().AUTH_SECRET.some((secret) =>
    timingSafeEqual(sealed, signChallenge(head, purpose, secret)),
  );
  if (!isOurs) return false;
  return Number(head.readBigUInt64BE(RANDOM)) > Date.now();
}

/**
 * Uses a challenge up, in the transaction of what it allows.
 * @returns false when it was used before
 */
export async function consumeChallenge(tx: Transaction, challenge: string): Promise<boolean> {
  const spent = await tx
    .insert(spentChallenges)
    .values({ hash: hashToken(challenge), expiresAt: sql`now() + ${LIFETIME} * interval '1 millisecond'` })
    .onConflictDoNothing()
    .returning({ hash: spentChallenges.hash });
  return spent.length > 0;
}

/** Removes what is too old to be answered anyway. */
export async function deleteOldChallenges(): Promise<void> {
  await db().delete(spentChallenges).where(lt(spentChallenges.expiresAt, sql`now()`));
}
