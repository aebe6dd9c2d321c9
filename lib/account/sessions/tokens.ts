import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Transaction } from '@/db/client';
import { refreshTokens } from '@/db/schema/accounts';
import { decrypt, encrypt } from '@/lib/foundation/encryption';

export const ACCESS_SECONDS = 15 * 60;
export const REFRESH_SECONDS = 30 * 24 * 3600;
/** How long a session lasts after its sign-in, however often it's renewed. */
export const SESSION_SECONDS = 90 * 24 * 3600;

/** The access token's claims. The session itself is still looked up, so that it can be ended right away. */
export interface AccessClaims {
  userId: string;
  sessionId: string;
  /** As of when the token was issued. Only ever changes from false to true. */
  verified: boolean;
}

const tokenPair = z.object({
  access: z.string(),
  accessExpiresAt: z.coerce.date(),
  refresh: z.string(),
  refreshExpiresAt: z.coerce.date(),
});

/** The two tokens that go into cookies, and when each of them expires. */
export interface SessionTokens extends z.infer<typeof tokenPair> {
  /** After a sign-in, the browser's device cookie: the one it sent, or a new one. */
  device?: string;
}

/** Returns a new secret of 32 random bytes in unpadded base64url, and the hash to store. */
export function newToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashToken(token) };
}

/** Returns the SHA-256 in hex. That's enough for secrets with 256 random bits, which nobody can guess. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

const REFRESH_TOKEN = { purpose: 'daylight refresh token' };

/**
 * Returns a new refresh token that's valid for `seconds`, and the hash to store. It's encrypted, so that one of a deleted
 * account, of which no row is left, can still be told from one that we never issued.
 */
export async function newRefreshToken(seconds: number): Promise<{ token: string; hash: string }> {
  const token = await encrypt({ secret: newToken().token }, { ...REFRESH_TOKEN, seconds });
  return { token, hash: hashToken(token) };
}

/** Returns whether we issued a refresh token that hasn't expired. Says nothing about its session. */
export const isIssued = async (refresh: string): Promise<boolean> =>
  (await decrypt(refresh, REFRESH_TOKEN)) !== null;

/** next-auth derives a session's key without a salt. */
const NEXT_AUTH_SESSION = { purpose: '' };

/** Returns the access token: a next-auth JWT (encrypted, A256GCM) that's valid for `seconds`. */
export function encodeAccess(
  { userId, sessionId, verified }: AccessClaims,
  seconds = ACCESS_SECONDS,
): Promise<string> {
  return encrypt({ sub: userId, sid: sessionId, verified }, { ...NEXT_AUTH_SESSION, seconds });
}

/** Returns an access token's claims, or null if it's expired, altered, or not ours. */
export async function decodeAccess(token: string | undefined): Promise<AccessClaims | null> {
  const claims = (await decrypt(token, NEXT_AUTH_SESSION))?.claims;
  if (typeof claims?.sub !== 'string' || typeof claims.sid !== 'string') return null;
  // next-auth tolerates 15 s of clock skew; this is our own clock, so 15 minutes means 15 minutes.
  if (typeof claims.exp !== 'number' || claims.exp * 1000 <= Date.now()) return null;
  return { userId: claims.sub, sessionId: claims.sid, verified: claims.verified === true };
}

const after = (seconds: number) => new Date(Date.now() + seconds * 1000);

/**
 * Creates a new token pair for a session, in the caller's transaction.
 * @param secondsLeft until the session ends; neither token outlives it
 */
export async function issueTokens(
  tx: Transaction,
  claims: AccessClaims,
  secondsLeft: number,
): Promise<SessionTokens> {
  const refreshSeconds = Math.min(REFRESH_SECONDS, secondsLeft);
  const { token, hash } = await newRefreshToken(refreshSeconds);
  const refreshExpiresAt = after(refreshSeconds);
  await tx.insert(refreshTokens).values({ hash, sessionId: claims.sessionId, expiresAt: refreshExpiresAt });
  const accessSeconds = Math.min(ACCESS_SECONDS, secondsLeft);
  const access = await encodeAccess(claims, accessSeconds);
  return { access, accessExpiresAt: after(accessSeconds), refresh: token, refreshExpiresAt };
}

const PAIR_PURPOSE = 'daylight token pair';
/** Well beyond the grace period, which the database's clock decides. */
const PAIR_SECONDS = 120;

/** The exchanged token is part of the key, so the database and AUTH_SECRET together can't decrypt a pair. */
const pairKey = (spent: string) => ({ purpose: PAIR_PURPOSE, extraKey: spent });

/** Encrypts the pair that a refresh token was exchanged for. Only the holder of that token can decrypt it. */
export function encryptPair(pair: SessionTokens, spent: string): Promise<string> {
  return encrypt({ pair }, { ...pairKey(spent), seconds: PAIR_SECONDS });
}

/** Returns the pair encrypted with this exchanged token, or null if it can't be decrypted. */
export async function decryptPair(sealed: string | null, spent: string): Promise<SessionTokens | null> {
  const opened = await decrypt(sealed, pairKey(spent));
  return tokenPair.safeParse(opened?.claims.pair).data ?? null;
}
