import { createHash, randomBytes } from 'node:crypto';
import { decode, encode } from 'next-auth/jwt';
import { env } from '@/lib/env';

export const ACCESS_SECONDS = 15 * 60;
export const REFRESH_SECONDS = 30 * 24 * 3600;

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

/** The access part: a next-auth JWT (encrypted, A256GCM) that lives for 15 minutes. */
export function encodeAccess({ userId, sessionId, verified }: AccessClaims): Promise<string> {
  return encode({
    token: { sub: userId, sid: sessionId, verified },
    secret: env().AUTH_SECRET,
    maxAge: ACCESS_SECONDS,
  });
}

/** The claims of an access part, or null when it is expired, altered or none of ours. */
export async function decodeAccess(token: string | undefined): Promise<AccessClaims | null> {
  if (!token) return null;
  try {
    const claims = await decode({ token, secret: env().AUTH_SECRET });
    if (typeof claims?.sub !== 'string' || typeof claims.sid !== 'string') return null;
    // next-auth tolerates 15 s of clock skew; this is our own clock, so 15 minutes are 15 minutes.
    if (typeof claims.exp !== 'number' || claims.exp * 1000 <= Date.now()) return null;
    return { userId: claims.sub, sessionId: claims.sid, verified: claims.verified === true };
  } catch {
    return null;
  }
}
