import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { sessions } from '@/db/schema/accounts';
import { createSession } from '@/lib/account/sessions/create-session';
import { addUser, useFreshDatabase } from '@/test/app-database';
import { newClientInfo } from '@/test/client-info';
import { authenticate, deleteExpiredSessions, listSessions, rotateSession } from './service';
import type { SessionTokens } from './tokens';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

let userId: string;
beforeEach(async () => {
  userId = await addUser(`${crypto.randomUUID()}@example.com`);
});

const start = () =>
  db().transaction((tx) => createSession(tx, { id: userId, verified: true }, newClientInfo(), 'password'));

async function rotate(refresh: string): Promise<SessionTokens> {
  const tokens = await rotateSession(refresh);
  if (!tokens) throw new Error('the session could not be renewed');
  return tokens;
}

const lives = async (tokens: SessionTokens) => (await authenticate(tokens.access)) !== null;

it('a renewal says when this session was last used, and nothing of the account’s others', async () => {
  const [used, other] = [await start(), await start()];
  await db()
    .update(sessions)
    .set({ lastSeenAt: new Date(0) })
    .where(eq(sessions.userId, userId));
  await rotate(used.refresh);
  const { sessionId = '' } = (await authenticate(other.access)) ?? {};
  const unused = eq(sessions.lastSeenAt, new Date(0));
  expect(await db().select({ id: sessions.id }).from(sessions).where(unused)).toEqual([{ id: sessionId }]);
});

describe('90 days after the sign-in', () => {
  /** Moves a session's sign-in into the past. */
  const signedInAgo = async (tokens: SessionTokens, seconds: number) => {
    const { sessionId = '' } = (await authenticate(tokens.access)) ?? {};
    await db()
      .update(sessions)
      .set({ createdAt: sql`now() - ${seconds} * interval '1 second'` })
      .where(eq(sessions.id, sessionId));
    return sessionId;
  };
  const DAYS = 24 * 3600;

  it('a session is over, however fresh its tokens are', async () => {
    const tokens = await rotate((await start()).refresh);
    const id = await signedInAgo(tokens, 90 * DAYS);
    expect(await lives(tokens)).toBe(false);
    expect(await rotateSession(tokens.refresh)).toBeNull();
    expect(await listSessions(userId, id)).toEqual([]);
    await deleteExpiredSessions();
    expect(await db().$count(sessions, eq(sessions.id, id))).toBe(0);
  });

  it('both parts end with it, and no sooner than they have to', async () => {
    const tokens = await start();
    await signedInAgo(tokens, 70 * DAYS);
    const renewed = await rotate(tokens.refresh);
    const left = (date: Date) => (date.getTime() - Date.now()) / 1000;
    expect(left(renewed.refreshExpiresAt)).toBeGreaterThan(20 * DAYS - 600);
    expect(left(renewed.refreshExpiresAt)).toBeLessThanOrEqual(20 * DAYS);
    expect(left(renewed.accessExpiresAt)).toBeGreaterThan(300);
    await signedInAgo(renewed, 90 * DAYS - 300);
    const last = await rotate(renewed.refresh);
    expect(left(last.refreshExpiresAt)).toBeLessThanOrEqual(300);
    expect(left(last.accessExpiresAt)).toBeLessThanOrEqual(300);
    expect(await lives(last)).toBe(true);
  });
});
