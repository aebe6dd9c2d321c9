import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { rateLimits } from '@/db/schema/limits';
import { AppError } from '@/lib/foundation/contract/errors';
import { useFreshDatabase } from '@/test/app-database';
import { countAttempt, deleteExpiredRateLimits, type RateLimit, resetAttempts } from './service';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

const tries = async (count: number, subject: string, client: string) => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: count }, () => countAttempt('login', { subject, client })),
  );
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  return { passed: count - refused.length, reasons: refused.map((outcome) => outcome.reason as AppError) };
};

it('lets ten of 200 parallel tries through, says when to come back, and lets the owner in elsewhere', async () => {
  const { passed, reasons } = await tries(200, 'ada@example.com', '192.0.2.1');
  expect(passed).toBe(10);
  for (const reason of reasons) {
    expect(reason).toBeInstanceOf(AppError);
    expect(reason.code).toBe('rate_limited');
    expect(reason.retryAfter).toBeGreaterThan(0);
    expect(reason.retryAfter).toBeLessThanOrEqual(900);
  }
  expect((await tries(1, 'ada@example.com', '192.0.2.2')).passed).toBe(1);
  expect((await tries(1, 'bob@example.com', '192.0.2.1')).passed).toBe(1);
});

/** How many of `count` tries pass, each for another subject. */
async function passing(
  limit: RateLimit,
  count: number,
  clientOf: (index: number) => string,
  subject = 'person',
): Promise<number> {
  let passed = 0;
  for (let start = 0; start < count; start += 50) {
    const outcomes = await Promise.allSettled(
      Array.from({ length: Math.min(50, count - start) }, (_, index) =>
        countAttempt(limit, {
          subject: `${subject}-${start + index}@example.com`,
          client: clientOf(start + index),
        }),
      ),
    );
    passed += outcomes.filter((outcome) => outcome.status === 'fulfilled').length;
  }
  return passed;
}

it.each([
  ['login', 100],
  ['passkey', 100],
  ['provider', 100],
  ['password', 100],
  ['register', 30],
  ['reset', 60],
  ['resend', 60],
] as const)('stops a client that tries one address after the other: %s, %i times', async (limit, tries) => {
  const client = `client of ${limit}`;
  expect(await passing(limit, tries + 20, () => client)).toBe(tries);
  expect(await passing(limit, 1, () => `another ${client}`)).toBe(1);
});

it('counts requests for a reset and for another link together, and every way to sign in', async () => {
  for (const [one, other, tries] of [
    ['reset', 'resend', 60],
    ['login', 'passkey', 100],
  ] as const) {
    const client = `client of ${one} and ${other}`;
    expect(await passing(one, tries / 2, () => client)).toBe(tries / 2);
    expect(await passing(other, tries, () => client, 'more')).toBe(tries / 2);
  }
});

it('stops a /48 network of IPv6 at ten times what one of its clients may try', async () => {
  const clientIn = (site: string) => (index: number) => `${site}:${index.toString(16)}::/64`;
  expect(await passing('register', 330, clientIn('2001:db8:1'))).toBe(300);
  expect(await passing('register', 30, clientIn('2001:db8:2'))).toBe(30);
});

it('counts failures only: what was forgiven does not add up', async () => {
  const attempt = { subject: 'eve@example.com', client: '192.0.2.4' };
  for (let round = 0; round < 130; round += 1) {
    await countAttempt('login', attempt);
    await resetAttempts('login', attempt);
  }
  expect((await tries(11, attempt.subject, attempt.client)).passed).toBe(10);
});

it('shows no address in its table', async () => {
  const rows = await db().select().from(rateLimits);
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toMatch(/@|192\.0\.2/);
});

it('forgets what has run out and nothing else', async () => {
  const before = await db().select().from(rateLimits);
  await db()
    .insert(rateLimits)
    .values({ key: 'old', points: 3, expire: Date.now() - 1 });
  await deleteExpiredRateLimits();
  expect(await db().select().from(rateLimits)).toHaveLength(before.length);
});
