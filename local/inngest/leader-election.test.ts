import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/test/database';
import { type Leadership, startLeaderElection } from './leader-election';
import { openStore, type Sql } from './store';

const SCHEMA = 'leaders';

let database: TestDatabase;
let sql: Sql;
const started: Leadership[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  sql = await openStore(database.url, SCHEMA);
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});
beforeEach(() => sql`UPDATE leader SET generation = 1, alive_until = '-infinity'`);
afterEach(async () => {
  for (const one of started.splice(0)) await one.close();
});

/** Returns a pool that says when a transaction has ended. */
const watchBegin = (pool: Sql, onEnd: () => void): Sql =>
  new Proxy(pool, {
    apply: (target, _this, values: Parameters<Sql>) => target(...values),
    get: (target, name) =>
      name === 'begin'
        ? (work: Parameters<Sql['begin']>[1]) => target.begin(work).finally(onEnd)
        : Reflect.get(target, name),
  });

/**
 * Starts a runner's election. `first` is the first generation that it leads in, and `tried` settles once it has tried to take
 * over.
 */
function elect() {
  const generations: (number | undefined)[] = [];
  let onFirst: (generation: number | undefined) => void;
  const first = new Promise<number | undefined>((resolve) => {
    onFirst = resolve;
  });
  let onTried: () => void;
  const tried = new Promise<void>((resolve) => {
    onTried = resolve;
  });
  const leadership = startLeaderElection({
    sql: watchBegin(sql, () => onTried()),
    databaseUrl: database.url,
    schema: SCHEMA,
    onChange: (generation) => {
      generations.push(generation);
      onFirst(generation);
    },
    onError: (error) => {
      throw error;
    },
  });
  started.push(leadership);
  return { ...leadership, generations, first, tried };
}

const leader = async () =>
  (await sql`SELECT generation, alive_until > clock_timestamp() AS alive FROM leader`)[0];

it('one runner leads, and a second one doesn’t take over while it’s alive', async () => {
  const one = elect();
  expect(await one.first).toBe(2);
  const other = elect();
  await other.tried;
  await other.close();
  expect(other.generations).toEqual([]);
  expect([one.generation(), await leader()]).toEqual([2, { generation: 2, alive: true }]);
});

it('a runner takes over at once when the former leader’s connection is gone, and frees its leases', async () => {
  await sql`UPDATE leader SET alive_until = 'infinity'`;
  await sql`INSERT INTO runs (id, fn_id, origin, event_name, event, created_at) VALUES ('r', 'f', 'o', 'e', '{}', 0)`;
  await sql`INSERT INTO queue (run_id, fn_id, kind, step_id, step_name, available_at, rank, lease, again)
    VALUES ('r', 'f', 'step', 's', '', 0, 0, 'former', true)`;
  expect(await elect().first).toBe(2);
  expect(await sql`SELECT lease, again FROM queue`).toEqual([{ lease: null, again: false }]);
});

it('a runner takes over from one that holds its connection but hasn’t renewed its lease', async () => {
  const stopped = await sql.reserve();
  await stopped`SELECT pg_advisory_lock(hashtext(${`lead ${SCHEMA}`}))`;
  const one = elect();
  expect(await one.first).toBe(2);
  await stopped`SELECT pg_advisory_unlock_all()`;
  stopped.release();
});

it('a leader that ends gives up its lease', async () => {
  const one = elect();
  await one.first;
  await one.close();
  expect([one.generations, await leader()]).toEqual([[2, undefined], { generation: 2, alive: false }]);
});

it('a leader that ends leaves the lease of another one that has taken over', async () => {
  const one = elect();
  await one.first;
  let closing: Promise<void> | undefined;
  await sql.begin(async (tx) => {
    await tx`UPDATE leader SET generation = 3, alive_until = 'infinity'`;
    // It waits for this row, and so does a heartbeat.
    closing = one.close();
  });
  await closing;
  expect(await leader()).toEqual({ generation: 3, alive: true });
});
