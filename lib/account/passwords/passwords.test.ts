import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { rateLimits } from '@/db/schema/limits';
import { useFreshDatabase } from '@/test/app-database';
import { withHashingLimit } from './passwords';

let end: () => Promise<void>;
beforeAll(async () => {
  end = await useFreshDatabase();
});
afterAll(() => end());

/** As many tries as find room, each from another client. */
const ROOM = 64;

it('a try that finds no room is refused, and not counted', async () => {
  const held: (() => void)[] = [];
  const hold = () => new Promise<void>((resolve) => held.push(resolve));
  const holding = Array.from({ length: ROOM }, (_, n) =>
    withHashingLimit('login', { subject: `${n}@example.com`, client: `192.0.2.${n}` }, hold),
  );
  await expect.poll(() => held.length, { timeout: 30_000 }).toBe(ROOM);
  const before = await db().select().from(rateLimits);
  const attempt = { subject: 'ada@example.com', client: '198.51.100.1' };
  const tried = () => withHashingLimit('login', attempt, async () => 'tried');
  await expect(tried()).rejects.toMatchObject({ code: 'unavailable', retryAfter: 2 });
  const known = new Map(before.map(({ key, points }) => [key, points]));
  const changed = (await db().select().from(rateLimits)).filter(
    ({ key, points }) => points !== (known.get(key) ?? 0),
  );
  expect(changed).toEqual([]);
  for (const release of held) release();
  await Promise.all(holding);
  expect(await tried()).toBe('tried');
});
