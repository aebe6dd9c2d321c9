import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { rateLimits } from '@/db/schema/limits';
import { AppError } from '@/lib/http/errors';
import { useFreshDatabase } from '@/test/app-database';
import { countTry, forgetOldTries, forgiveTries } from './service';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

const tries = async (count: number, subject: string, client: string) => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: count }, () => countTry('login', { subject, client })),
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

it('stops a client that tries one address after the other', async () => {
  let passed = 0;
  for (let round = 0; round < 12; round += 1) {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) =>
        countTry('login', { subject: `person-${round}-${index}@example.com`, client: '192.0.2.3' }),
      ),
    );
    passed += outcomes.filter((outcome) => outcome.status === 'fulfilled').length;
  }
  expect(passed).toBe(500);
});

it('counts failures only: what was forgiven does not add up', async () => {
  const attempt = { subject: 'eve@example.com', client: '192.0.2.4' };
  for (let round = 0; round < 30; round += 1) {
    await countTry('login', attempt);
    await forgiveTries('login', attempt);
  }
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
  await forgetOldTries();
  expect(await db().select().from(rateLimits)).toHaveLength(before.length);
});
