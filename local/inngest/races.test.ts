import { sql as raw } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useFreshDatabase } from '@/test/app-database';
import { duringTransaction } from '@/test/open-transaction';
import { acceptEvents, cancelMarkedRuns, routeNextEvent } from './events';
import { INNGEST_LIMITS } from './limits';
import { applyAnswer } from './outcome';
import type { EventPayload } from './protocol';
import { leaseItems, type QueueItem, readRunState, releaseLease, releaseOrphanedLeases } from './queue';
import type { FunctionDefinition } from './registry';
import { createRun } from './runs';
import { openStore, type Sql } from './store';
import { startDueCrons, syncCrons } from './timers';

const SCHEMA = 'races';
const NOW = 1_800_000_000_000;

let end: () => Promise<void>;
let sql: Sql;

beforeAll(async () => {
  end = await useFreshDatabase();
  sql = await openStore(process.env['DATABASE_URL'] ?? '', SCHEMA);
});
afterAll(async () => {
  await sql.end();
  await end();
});
beforeEach(async () => {
  await sql`TRUNCATE runs, events, seen, crons CASCADE`;
  await sql`UPDATE leader SET generation = 1`;
});

const definition: FunctionDefinition = {
  id: 'testing-note',
  name: 'Note',
  events: [{ name: 'test/note' }],
  crons: [],
  maxAttempts: 4,
  concurrency: [],
  cancelOn: [],
};

const event = (name = 'test/note', data: EventPayload['data'] = {}): EventPayload => ({
  id: 'an event',
  name,
  data,
  ts: NOW,
});

/** Runs statements in the open transaction, on the runner's schema. */
const statements =
  (...texts: string[]) =>
  async (tx: Parameters<Parameters<typeof duringTransaction>[0]>[0]) => {
    await tx.execute(raw.raw(`SET LOCAL search_path TO ${SCHEMA}`));
    for (const text of texts) await tx.execute(raw.raw(text));
  };

/** What a runner does that takes over. */
const takeOver = ['UPDATE leader SET generation = 2', 'UPDATE queue SET lease = NULL'];

/** Returns everything that the runner knows. */
const rows = async () => ({
  runs: await sql`SELECT * FROM runs ORDER BY id`,
  queue: await sql`SELECT * FROM queue ORDER BY id`,
  steps: await sql`SELECT * FROM steps ORDER BY seq`,
  events: await sql`SELECT * FROM events ORDER BY seq`,
});

const leaseOptions = { generation: 1, now: NOW, room: 10, underWay: [], functions: [definition.id] };

/** Starts a run, and leases its first request. */
async function startRun(): Promise<{ id: string; item: QueueItem }> {
  const id = (await createRun(sql, definition, { origin: 'an origin', event: event(), now: NOW })) ?? '';
  const [item] = await leaseItems(sql, leaseOptions);
  if (!item) throw new Error('nothing was leased');
  return { id, item };
}

const context = { definition, now: NOW, timeScale: 1, limits: INNGEST_LIMITS };
const answer =
  (item: QueueItem, body: unknown, status = 200) =>
  () =>
    applyAnswer(sql, item, { status, headers: {}, body }, context);

describe('a former leader', () => {
  it('leases nothing while another runner takes over', async () => {
    await createRun(sql, definition, { origin: 'an origin', event: event(), now: NOW });
    const { waited, outcome } = await duringTransaction(statements(...takeOver), () =>
      leaseItems(sql, leaseOptions),
    );
    expect([waited, outcome]).toEqual([true, { status: 'fulfilled', value: [] }]);
    expect((await rows()).queue).toMatchObject([{ lease: null }]);
  });

  it('releases none of the leases of the runner that takes over', async () => {
    await startRun();
    const { waited, outcome } = await duringTransaction(
      statements(...takeOver, `UPDATE queue SET lease = 'new'`),
      () => releaseOrphanedLeases(sql, 1, []),
    );
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
    expect((await rows()).queue).toMatchObject([{ lease: 'new' }]);
  });

  it('has its answer dropped while another runner takes over', async () => {
    const { item } = await startRun();
    const before = await rows();
    const { waited, outcome } = await duringTransaction(statements(...takeOver), answer(item, 'done'));
    expect([waited, outcome]).toEqual([true, { status: 'fulfilled', value: 'superseded' }]);
    const queue = [{ ...before.queue[0], lease: null }];
    expect(await rows()).toEqual({ ...before, queue });
  });

  it('changes nothing with an answer, or a release, once the request has another lease', async () => {
    const { item } = await startRun();
    await sql`UPDATE queue SET lease = 'new'`;
    const before = await rows();
    expect(before.queue).toMatchObject([{ lease: 'new' }]);
    for (const status of [200, 206, 500]) expect(await answer(item, [], status)()).toBe('superseded');
    await releaseLease(sql, item, { at: NOW + 1, attempt: 3 });
    expect(await readRunState(sql, item)).toBeUndefined();
    expect(await rows()).toEqual(before);
  });
});

it('leases a request once when two polls find it', async () => {
  await createRun(sql, definition, { origin: 'an origin', event: event(), now: NOW });
  const { waited, outcome } = await duringTransaction(statements(`UPDATE queue SET lease = 'other'`), () =>
    leaseItems(sql, leaseOptions),
  );
  expect([waited, outcome]).toEqual([true, { status: 'fulfilled', value: [] }]);
  expect((await rows()).queue).toMatchObject([{ lease: 'other' }]);
});

it('releases the leases that nobody holds, and no others', async () => {
  const { item } = await startRun();
  await releaseOrphanedLeases(sql, 1, [item.lease]);
  expect((await rows()).queue).toMatchObject([{ lease: item.lease }]);
  await releaseOrphanedLeases(sql, 1, ['another']);
  expect((await rows()).queue).toMatchObject([{ lease: null }]);
});

describe('a run', () => {
  it('that ends isn’t canceled at the same moment', async () => {
    const { id } = await startRun();
    await sql`UPDATE runs SET cancel_at = ${NOW}, cancel_reason = 'By an event'`;
    const ending = `UPDATE runs SET status = 'completed', ended_at = ${NOW}, output = '1' WHERE id = '${id}'`;
    const { waited, outcome } = await duringTransaction(
      statements(ending, `DELETE FROM queue WHERE run_id = '${id}'`),
      () => cancelMarkedRuns(sql, NOW),
    );
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
    expect(await rows()).toMatchObject({ runs: [{ status: 'completed', output: '1' }], events: [] });
  });

  it('neither plans nor runs a step again that’s queued or done', async () => {
    const { id, item } = await startRun();
    await sql`INSERT INTO queue (run_id, fn_id, kind, step_id, step_name, available_at, rank)
      VALUES (${id}, ${definition.id}, 'step', 'queued', '', 0, 0)`;
    await sql`INSERT INTO steps (run_id, id, name, type, value, ended_at) VALUES (${id}, 'done', '', 'data', '1', 0)`;
    const before = await rows();
    const planned = ['queued', 'done'].map((step) => ({ op: 'StepPlanned', id: step, name: step }));
    const again = { op: 'StepRun', id: 'done', data: 2 };
    expect(await answer(item, [...planned, again], 206)()).toBe('continued');
    const { steps, queue } = await rows();
    expect(steps).toEqual(before.steps);
    expect(queue.map((row) => row['step_id'])).toEqual(before.queue.map((row) => row['step_id']));
  });

  it('is started once when two runners have its origin', async () => {
    await sql`INSERT INTO runs (id, fn_id, origin, event_name, event, created_at)
      VALUES ('other', ${definition.id}, 'another', 'test/note', '{}', 0)`;
    const { waited, outcome } = await duringTransaction(
      statements(`UPDATE runs SET origin = 'an origin' WHERE id = 'other'`),
      () => createRun(sql, definition, { origin: 'an origin', event: event(), now: NOW }),
    );
    expect([waited, outcome]).toEqual([true, { status: 'fulfilled', value: undefined }]);
    expect(await rows()).toMatchObject({ runs: [{ id: 'other' }], queue: [] });
  });

  it('that ends while what it’s about is deleted is forgotten', async () => {
    const { id } = await startRun();
    await sql`UPDATE runs SET event = ${JSON.stringify(event('test/note', { entryId: 'the-one' }))}`;
    await acceptEvents(sql, [{ ...event('entry/purged', { entryId: 'the-one' }) }], NOW);
    const { waited, outcome } = await duringTransaction(
      statements(`UPDATE runs SET status = 'completed', ended_at = ${NOW} WHERE id = '${id}'`),
      () => routeNextEvent(sql, [definition], NOW, 1),
    );
    expect([waited, outcome]).toEqual([true, { status: 'fulfilled', value: true }]);
    expect((await rows()).runs).toEqual([]);
  });
});

describe('an event', () => {
  const accept = () => acceptEvents(sql, [event()], NOW);

  it('that another runner routes is left to it', async () => {
    await accept();
    const { waited, outcome } = await duringTransaction(statements('UPDATE events SET routed = true'), () =>
      routeNextEvent(sql, [definition], NOW, 1),
    );
    expect([waited, outcome]).toEqual([false, { status: 'fulfilled', value: false }]);
    expect((await rows()).runs).toEqual([]);
  });

  it('is stored once when it’s sent twice at once', async () => {
    const { waited, outcome } = await duringTransaction(
      // Both wait for this before they store anything.
      statements('LOCK TABLE seen IN SHARE MODE'),
      async () => (await Promise.all([accept(), accept()])).flat(),
    );
    const { events } = await rows();
    expect(events).toHaveLength(1);
    const id = events[0]?.['id'];
    expect([waited, outcome]).toEqual([true, { status: 'fulfilled', value: [id, id] }]);
  });
});

describe('a cron trigger', () => {
  const hourly = { ...definition, events: [], crons: ['0 * * * *'] };
  const HOUR = 3_600_000;

  it('starts one run when two runners find it due', async () => {
    await syncCrons(sql, [hourly], NOW);
    const { waited, outcome } = await duringTransaction(statements('LOCK TABLE runs IN SHARE MODE'), () =>
      Promise.all([startDueCrons(sql, [hourly], NOW + HOUR), startDueCrons(sql, [hourly], NOW + HOUR)]),
    );
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
    expect((await rows()).runs).toHaveLength(1);
  });

  it('keeps its next time when a runner with an older one comes late', async () => {
    await syncCrons(sql, [hourly], NOW);
    const next = NOW + 9 * HOUR;
    const { waited, outcome } = await duringTransaction(
      statements(`UPDATE crons SET next_at = ${next}`),
      () => startDueCrons(sql, [hourly], NOW + HOUR),
    );
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
    expect(await sql`SELECT next_at FROM crons`).toEqual([{ next_at: next }]);
  });
});

it('opens a new schema from several runners at once', async () => {
  const url = process.env['DATABASE_URL'] ?? '';
  const opened = await Promise.allSettled(Array.from({ length: 5 }, () => openStore(url, 'opened_at_once')));
  expect(opened.map(({ status }) => status)).toEqual(Array(5).fill('fulfilled'));
  for (const one of opened) await (one as PromiseFulfilledResult<Sql>).value.end();
});
