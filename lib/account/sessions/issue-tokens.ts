import type { Transaction } from '@/db/client';
import { refreshTokens } from '@/db/schema/accounts';
import {
  ACCESS_SECONDS,
  type AccessClaims,
  encodeAccess,
  newRefreshToken,
  REFRESH_SECONDS,
  type SessionTokens,
} from './tokens';

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
