import { createHash, randomBytes } from 'node:crypto';
import { decrypt, encrypt } from '@/lib/encryption';
import type { SessionTokens } from './service';

export const ACCESS_SECONDS = 15 * 60;
export const REFRESH_SECONDS = 30 * 24 * 3600;
/** How long a session lasts after its sign-in, however often it's renewed. */
export const SESSION_SECONDS = 90 * 24 * 3600;

/** What the access part says; the session itself is still looked up, so that it can be ended at once. */
export interface AccessClaims {
  userId: string;
  sessionId: string;
  /** As it was when the token was made; only ever turns from false to true. */
  verified: boolean;
}

/** A new secret of 32 random bytes in unpadded base64url, and the hash by which it is kept. */
export function newToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashToken(token) };
}

/** SHA-256 in hex. Enough for secrets of 256 random bits, which nobody can guess. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** next-auth derives a session's key without a salt. */
const NEXT_AUTH_SESSION = { purpose: '' };

/** Returns the access part: a next-auth JWT (encrypted, A256GCM) that lives for `seconds`. */
export function encodeAccess(
  { userId, sessionId, verified }: AccessClaims,
  seconds = ACCESS_SECONDS,
): Promise<string> {
  return encrypt({ sub: userId, sid: sessionId, verified }, { ...NEXT_AUTH_SESSION, seconds });
}

/** The claims of an access part, or null when it is expired, altered or none of ours. */
export async function decodeAccess(token: string | undefined): Promise<AccessClaims | null> {
  const claims = (await decrypt(token, NEXT_AUTH_SESSION))?.claims;
  if (typeof claims?.sub !== 'string' || typeof claims.sid !== 'string') return null;
  // next-auth tolerates 15 s of clock skew; this is our own clock, so 15 minutes are 15 minutes.
  if (typeof claims.exp !== 'number' || claims.exp * 1000 <= Date.now()) return null;
  return { userId: claims.sub, sessionId: claims.sid, verified: claims.verified === true };
}

const PAIR_PURPOSE = 'daylight token pair';
/** Well beyond the grace, which the database's clock decides. */
const PAIR_SECONDS = 120;

/** The spent token is part of the key, so the database and AUTH_SECRET together don't open a pair. */
const pairKey = (spent: string) => ({ purpose: PAIR_PURPOSE, extraKey: spent });

/** Encrypts the pair that a refresh token was exchanged for; only the holder of that token can open it. */
export function encryptPair(pair: SessionTokens, spent: string): Promise<string> {
  return encrypt({ pair }, { ...pairKey(spent), seconds: PAIR_SECONDS });
}

/** Returns the pair that was sealed with this spent token, or null when it can't be opened. */
export async function decryptPair(sealed: string | null, spent: string): Promise<SessionTokens | null> {
  const opened = await decrypt(sealed, pairKey(spent));
  if (!opened) return null;
  const pair = opened.claims.pair as Record<Exclude<keyof SessionTokens, 'device'>, string>;
  return {
    access: pair.access,
    accessExpiresAt: new Date(pair.accessExpiresAt),
    refresh: pair.refresh,
    refreshExpiresAt: new Date(pair.refreshExpiresAt),
  };
}
