import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { refreshTokens, sessions, users } from '@/db/schema/accounts';
import { createSession } from '@/lib/account/sessions/create-session';
import { AppError } from '@/lib/foundation/contract/errors';
import { addUser, useFreshDatabase } from '@/test/app-database';
import { newClientInfo } from '@/test/client-info';
import { duringTransaction } from '@/test/open-transaction';
import {
  authenticate,
  deleteExpiredSessions,
  endAllSessions,
  endOneSession,
  endOtherSessions,
  endSession,
  listSessions,
  rotateSession,
} from './service';
import { encodeAccess, hashToken, type SessionTokens } from './tokens';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

let userId: string;
beforeEach(async () => {
  userId = await addUser(`${crypto.randomUUID()}@example.com`);
});

const start = (id = userId, agent = 'test') =>
  db().transaction((tx) =>
    createSession(tx, { id, verified: true }, { ...newClientInfo(), userAgent: agent }, 'password'),
  );

async function rotate(refresh: string): Promise<SessionTokens> {
  const tokens = await rotateSession(refresh);
  if (!tokens) throw new Error('the session could not be renewed');
  return tokens;
}

/** Backdates a token's exchange by this many seconds. */
const age = (refresh: string, seconds: number) =>
  db()
    .update(refreshTokens)
    .set({ spentAt: sql`${refreshTokens.spentAt} - ${seconds} * interval '1 second'` })
    .where(eq(refreshTokens.hash, hashToken(refresh)));

const lives = async (tokens: SessionTokens) => (await authenticate(tokens.access)) !== null;

describe('renewing', () => {
  it('gives a new pair of the same session, and keeps no token in the database', async () => {
    const first = await start();
    const second = await rotate(first.refresh);
    expect(second.refresh).not.toBe(first.refresh);
    expect(await lives(second)).toBe(true);
    const kept = JSON.stringify(await db().select().from(refreshTokens));
    expect(kept).not.toContain(first.refresh);
    expect(kept).not.toContain(second.refresh);
  });

  it('gives a spent token the same pair within 30 s, however often it comes', async () => {
    const first = await start();
    const second = await rotate(first.refresh);
    await age(first.refresh, 10);
    const again = await Promise.all(Array.from({ length: 40 }, () => rotate(first.refresh)));
    for (const pair of again) expect(pair).toEqual(second);
    expect(await lives(second)).toBe(true);
    const { sessionId = '' } = (await authenticate(second.access)) ?? {};
    expect(await db().$count(refreshTokens, eq(refreshTokens.sessionId, sessionId))).toBe(2);
  });

  it('gives a spent token its own pair, also once that was spent in turn', async () => {
    const first = await start();
    const second = await rotate(first.refresh);
    const third = await rotate(second.refresh);
    expect(third.refresh).not.toBe(second.refresh);
    expect(await rotate(first.refresh)).toEqual(second);
    expect(await rotate(second.refresh)).toEqual(third);
  });

  it('keeps a pair no longer than it can be asked for', async () => {
    const first = await start();
    await rotate(first.refresh);
    const sealed = () =>
      db().$count(
        refreshTokens,
        sql`${refreshTokens.hash} = ${hashToken(first.refresh)} and ${refreshTokens.sealedPair} is not null`,
      );
    await deleteExpiredSessions();
    expect(await sealed()).toBe(1);
    await age(first.refresh, 31);
    await deleteExpiredSessions();
    expect(await sealed()).toBe(0);
  });

  it('takes it for theft afterwards and revokes the whole family, and no other', async () => {
    const other = await start();
    const first = await start();
    const second = await rotate(first.refresh);
    const third = await rotate(second.refresh);
    await age(first.refresh, 31);
    expect(await rotateSession(first.refresh)).toBeNull();
    for (const token of [first, second, third]) {
      expect(await rotateSession(token.refresh)).toBeNull();
      expect(await lives(token)).toBe(false);
    }
    expect(await lives(other)).toBe(true);
  });

  it('does not make the grace longer by using it', async () => {
    const first = await start();
    await rotate(first.refresh);
    await age(first.refresh, 20);
    await rotate(first.refresh);
    await age(first.refresh, 11);
    expect(await rotateSession(first.refresh)).toBeNull();
  });

  it('lets 20 tabs renew at once for ten rounds without signing anybody out', async () => {
    let tabs: SessionTokens[] = [await start()];
    for (let round = 0; round < 10; round += 1) {
      // The browser's tabs share one cookie: they all send whatever the last response set.
      const cookie = tabs[round % tabs.length]?.refresh ?? '';
      tabs = await Promise.all(Array.from({ length: 20 }, () => rotate(cookie)));
    }
    expect(await Promise.all(tabs.map(lives))).toEqual(Array(20).fill(true));
  });

  it('gives two tabs at once the same pair', async () => {
    const first = await start();
    const renewals = await duringTransaction(
      (tx) => tx.select().from(sessions).where(eq(sessions.userId, userId)).for('update'),
      () => Promise.all([rotate(first.refresh), rotate(first.refresh)]),
      { waiting: 2 },
    );
    expect(renewals).toMatchObject({ waited: true, outcome: { status: 'fulfilled' } });
    const [one, other] = renewals.outcome.status === 'fulfilled' ? renewals.outcome.value : [];
    expect(one).toEqual(other);
    const { sessionId = '' } = (await authenticate(one?.access)) ?? {};
    expect(await db().$count(refreshTokens, eq(refreshTokens.sessionId, sessionId))).toBe(2);
  });

  it('makes no token for a session that’s being ended', async () => {
    const first = await start();
    const tokens = await db().select().from(refreshTokens);
    const renewal = await duringTransaction(
      (tx) => endAllSessions(tx, userId),
      () => rotateSession(first.refresh),
    );
    expect(renewal).toEqual({ waited: true, outcome: { status: 'fulfilled', value: null } });
    expect(await db().select().from(refreshTokens)).toEqual(tokens);
  });

  it('refuses what is unknown, expired or nonsense', async () => {
    const first = await start();
    await db()
      .update(refreshTokens)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(eq(refreshTokens.hash, hashToken(first.refresh)));
    for (const token of [first.refresh, '', 'nonsense', '\u0000', 'x'.repeat(10_000)]) {
      expect(await rotateSession(token)).toBeNull();
    }
  });
});

describe('the access part', () => {
  it('is worth nothing when it is altered, of another secret or of another user', async () => {
    const tokens = await start();
    const user = await authenticate(tokens.access);
    const middle = Math.floor(tokens.access.length / 2);
    const flipped = tokens.access[middle] === 'A' ? 'B' : 'A';
    const altered = tokens.access.slice(0, middle) + flipped + tokens.access.slice(middle + 1);
    const stranger = await addUser(`${crypto.randomUUID()}@example.com`);
    const mixed = await encodeAccess({
      userId: stranger,
      sessionId: user?.sessionId ?? '',
      verified: true,
    });
    for (const access of [undefined, '', 'nonsense', altered, mixed]) {
      expect(await authenticate(access)).toBeNull();
    }
  });
});

describe('ending', () => {
  it.each([
    ['logout by the access part', (t: SessionTokens) => endSession({ access: t.access })],
    ['logout by the refresh part', (t: SessionTokens) => endSession({ refresh: t.refresh })],
    ['everything', () => db().transaction((tx) => endAllSessions(tx, userId))],
  ])('%s ends both parts at once', async (_, end) => {
    const tokens = await start();
    await end(tokens);
    expect(await lives(tokens)).toBe(false);
    expect(await rotateSession(tokens.refresh)).toBeNull();
  });

  it('a logout also ends what was renewed before it', async () => {
    const tokens = await start();
    const renewed = await rotate(tokens.refresh);
    await endSession(tokens);
    expect(await lives(renewed)).toBe(false);
    expect(await rotateSession(renewed.refresh)).toBeNull();
  });

  it('one of the list ends by its id, for its owner alone', async () => {
    const [mine, phone] = [await start(), await start(userId, 'phone')];
    const stranger = await addUser(`${crypto.randomUUID()}@example.com`);
    const sessionId = (await authenticate(phone.access))?.sessionId ?? '';
    await expect(endOneSession(stranger, sessionId)).rejects.toEqual(new AppError('not_found'));
    expect(await lives(phone)).toBe(true);
    await endOneSession(userId, sessionId);
    expect(await lives(phone)).toBe(false);
    expect(await lives(mine)).toBe(true);
    await expect(endOneSession(userId, sessionId)).rejects.toEqual(new AppError('not_found'));
  });

  it('all others leave the one at hand', async () => {
    const [mine, phone, tablet] = [await start(), await start(), await start()];
    const current = (await authenticate(mine.access))?.sessionId ?? '';
    expect(await listSessions(userId, current)).toHaveLength(3);
    await endOtherSessions(userId, current);
    expect([await lives(mine), await lives(phone), await lives(tablet)]).toEqual([true, false, false]);
    expect(await listSessions(userId, current)).toMatchObject([{ id: current, current: true }]);
  });
});

it('what can never be used again is removed, and nothing else', async () => {
  const [kept, dropped] = [await start(), await start()];
  const droppedId = (await authenticate(dropped.access))?.sessionId ?? '';
  await db()
    .update(sessions)
    .set({ revokedAt: sql`now() - interval '32 days'` })
    .where(eq(sessions.id, droppedId));
  await deleteExpiredSessions();
  expect(await db().select().from(sessions).where(eq(sessions.id, droppedId))).toHaveLength(0);
  expect(await lives(await rotate(kept.refresh))).toBe(true);
  await db().delete(users).where(eq(users.id, userId));
  expect(await lives(kept)).toBe(false);
});
