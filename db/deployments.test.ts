import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useFreshDatabase } from '@/test/app-database';
import { duringTransaction } from '@/test/open-transaction';
import { migrate } from './migrate';
import { setTimeouts } from './timeouts';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

const url = () => process.env.DATABASE_URL ?? '';

/** Does what one of two deployments does while the other holds a lock. */
const beside = <Result>(lock: string, work: () => Promise<Result>) =>
  duringTransaction((tx) => tx.execute(sql`select pg_advisory_xact_lock(hashtext(${lock}))`), work);

it('a deployment waits for the migrations of another one', async () => {
  expect(await beside('daylight:migrations', () => migrate(url()))).toEqual({
    waited: true,
    outcome: { status: 'fulfilled', value: 0 },
  });
});

it('a deployment waits for another one to set the timeouts', async () => {
  const client = postgres(url(), { max: 1 });
  const { waited, outcome } = await beside('daylight:timeouts', () => setTimeouts(client));
  expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
  await client.end();
});
