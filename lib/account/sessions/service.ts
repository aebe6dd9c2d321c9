import { and, desc, eq, isNotNull, isNull, lt, ne, type SQL, sql } from 'drizzle-orm';
import { type Database, db, type Transaction } from '@/db/client';
import { preparedStatement } from '@/db/prepared';
import { refreshTokens, sessions, users } from '@/db/schema/accounts';
import { accountDeletions } from '@/db/schema/deletions';
import { recordAuditEvent } from '@/lib/account/activity/service';
import { runAll } from '@/lib/foundation/attempt-all';
import { AppError } from '@/lib/foundation/contract/errors';
import { deviceName } from '@/lib/foundation/http/device-name';
import type { SessionSummary } from './contract';
import {
  decodeAccess,
  decryptPair,
  encryptPair,
  hashToken,
  isIssued,
  issueTokens,
  REFRESH_SECONDS,
  SESSION_SECONDS,
  type SessionTokens,
} from './tokens';

/** The user and session that make a request. */
export interface User {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  verified: boolean;
  sessionId: string;
  /** When the account is going to be deleted; null unless its owner asked for that. */
  erasesAt: Date | null;
  /** Whether the session has chosen to go on until then. */
  hasSeenDeletion: boolean;
}

/** How long a refresh token still works after its exchange, for a second tab or a lost response. */
const GRACE_SECONDS = 30;

/** Seconds until a session ends, 90 days after its sign-in; zero or less once it has. */
const secondsLeft = sql<number>`(${SESSION_SECONDS} - extract(epoch from now() - ${sessions.createdAt}))::float8`;

/**
 * Exchanges a refresh token for a new pair. Returns the same pair again within 30 s of the first exchange. A later
 * reuse is treated as theft and revokes the whole token family (RFC 9700, 4.14.2).
 * @returns null if the token is unknown, expired, revoked, or stolen, or its account is turned off
 */
export function rotateSession(refresh: string): Promise<SessionTokens | null> {
  return db().transaction(async (tx) => {
    const [found] = await tx
      .select({
        hash: refreshTokens.hash,
        sealedPair: refreshTokens.sealedPair,
        sessionId: sessions.id,
        userId: users.id,
        verified: sql<boolean>`${users.verifiedAt} is not null`,
        live: sql<boolean>`${refreshTokens.expiresAt} > now() and ${sessions.revokedAt} is null`,
        secondsLeft,
        spent: sql<boolean>`${refreshTokens.spentAt} is not null`,
        inGrace: sql<boolean>`coalesce(${refreshTokens.spentAt} > now() - ${GRACE_SECONDS} * interval '1 second', true)`,
      })
      .from(refreshTokens)
      .innerJoin(sessions, eq(sessions.id, refreshTokens.sessionId))
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(and(eq(refreshTokens.hash, hashToken(refresh)), isNull(users.disabledAt)))
      .for('update', { of: [refreshTokens, sessions] });
    if (!found?.live || found.secondsLeft < 1) return null;
    if (!found.inGrace) {
      await endSessions(tx, eq(sessions.id, found.sessionId));
      await recordAuditEvent('session.reused', { userId: found.userId, sessionId: found.sessionId }, tx);
      return null;
    }
    await tx.update(sessions).set({ lastSeenAt: sql`now()` }).where(eq(sessions.id, found.sessionId));
    // Null if the token was exchanged before pairs were stored encrypted, or under another AUTH_SECRET.
    if (found.spent) return decryptPair(found.sealedPair, refresh);
    const tokens = await issueTokens(tx, found, Math.floor(found.secondsLeft));
    await tx
      .update(refreshTokens)
      .set({ spentAt: sql`now()`, sealedPair: await encryptPair(tokens, refresh) })
      .where(eq(refreshTokens.hash, found.hash));
    return tokens;
  });
}

/**
 * Returns why a refresh token can't be exchanged. `ended` if its session was ended before its time, such as from another
 * device, by a password reset, or with the account; `expired` otherwise, also for one that we don't know.
 */
export async function whySessionIsOver(refresh: string | undefined): Promise<'ended' | 'expired'> {
  if (!refresh) return 'expired';
  const [found] = await db()
    .select({ ended: sql<boolean>`${sessions.revokedAt} is not null` })
    .from(refreshTokens)
    .innerJoin(sessions, eq(sessions.id, refreshTokens.sessionId))
    .where(eq(refreshTokens.hash, hashToken(refresh)));
  // Rows of tokens are deleted when they expire, and before that only with the account.
  const isEnded = found ? found.ended : await isIssued(refresh);
  return isEnded ? 'ended' : 'expired';
}

/** Ends the sessions that one condition or two match, unless they have ended. @returns them */
export function endSessions(tx: Transaction | Database, which: SQL, also?: SQL) {
  return tx
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(and(which, also, isNull(sessions.revokedAt)))
    .returning({ userId: sessions.userId, sessionId: sessions.id });
}

interface SessionCookies {
  access?: string | undefined;
  refresh?: string | undefined;
}

/** Ends the session that either cookie belongs to. An unknown one isn't an error. */
export async function endSession({ access, refresh }: SessionCookies): Promise<void> {
  const claims = await decodeAccess(access);
  const hash = refresh && hashToken(refresh);
  const [token] = hash ? await db().select().from(refreshTokens).where(eq(refreshTokens.hash, hash)) : [];
  for (const found of [claims, token]) {
    const [ended] = found ? await endSessions(db(), eq(sessions.id, found.sessionId)) : [];
    if (ended) await recordAuditEvent('session.ended', ended);
  }
}

/** Ends every session of an account, in the caller's transaction. */
export async function endAllSessions(tx: Transaction, userId: string): Promise<void> {
  await endSessions(tx, eq(sessions.userId, userId));
}

/** Returns an account's active sessions, the current one first, then by last use. */
export async function listSessions(userId: string, current: string): Promise<SessionSummary[]> {
  const active = await db()
    .select()
    .from(sessions)
    .where(
      and(
        eq(sessions.userId, userId),
        isNull(sessions.revokedAt),
        sql`${secondsLeft} > 0`,
        sql`${sessions.lastSeenAt} > now() - ${REFRESH_SECONDS} * interval '1 second'`,
      ),
    )
    .orderBy(desc(sql`${sessions.id} = ${current}`), desc(sessions.lastSeenAt));
  return active.map(({ id, userAgent, createdAt, lastSeenAt }) => ({
    id,
    device: deviceName(userAgent),
    current: id === current,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
  }));
}

/**
 * Ends one of an account's sessions.
 * @throws AppError `not_found`, also for someone else's
 */
export async function endOneSession(userId: string, sessionId: string): Promise<void> {
  const ended = await endSessions(db(), eq(sessions.id, sessionId), eq(sessions.userId, userId));
  if (ended.length === 0) throw new AppError('not_found');
  await recordAuditEvent('session.revoked', { userId, sessionId });
}

/** Ends all of an account's sessions except the current one. */
export async function endOtherSessions(userId: string, current: string): Promise<void> {
  await endSessions(db(), eq(sessions.userId, userId), ne(sessions.id, current));
  await recordAuditEvent('session.others-ended', { userId, sessionId: current });
}

/** Returns the owner of an access token, if it and its session are still valid. One query. */
export async function authenticate(access: string | undefined): Promise<User | null> {
  const claims = await decodeAccess(access);
  return claims && findSession(claims.userId, claims.sessionId);
}

const sessionStatement = preparedStatement((connection) =>
  connection
    .select({
      id: users.id,
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
      verified: sql<boolean>`${users.verifiedAt} is not null`,
      sessionId: sessions.id,
      erasesAt: accountDeletions.erasesAt,
      hasSeenDeletion: sql<boolean>`${sessions.deletionSeenAt} is not null`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(accountDeletions, eq(accountDeletions.userId, users.id))
    .where(
      and(
        eq(sessions.id, sql.placeholder('sessionId')),
        eq(sessions.userId, sql.placeholder('userId')),
        isNull(sessions.revokedAt),
        isNull(users.disabledAt),
        sql`${secondsLeft} > 0`,
      ),
    )
    .prepare('session'),
);

/**
 * Returns the owner of a session, if it's theirs and hasn't ended, and the account isn't turned off. Every request runs
 * it.
 */
export async function findSession(userId: string, sessionId: string): Promise<User | null> {
  const [user] = await sessionStatement().execute({ userId, sessionId });
  return user ?? null;
}

/** Deletes what can never be used again. @throws Error after trying everything, if anything couldn't be deleted */
export async function deleteExpiredSessions(): Promise<void> {
  await runAll('sessions: expiry', {
    tokens: () => db().delete(refreshTokens).where(lt(refreshTokens.expiresAt, sql`now()`)),
    pairs: () =>
      db()
        .update(refreshTokens)
        .set({ sealedPair: null })
        .where(
          and(
            isNotNull(refreshTokens.sealedPair),
            sql`${refreshTokens.spentAt} < now() - ${GRACE_SECONDS} * interval '1 second'`,
          ),
        ),
    sessions: () =>
      db()
        .delete(sessions)
        .where(
          sql`${secondsLeft} <= 0 or ${sessions.lastSeenAt} < now() - interval '31 days' or ${sessions.revokedAt} < now() - interval '31 days'`,
        ),
  });
}
