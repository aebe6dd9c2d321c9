import { beforeAll, describe, expect, it } from 'vitest';
import { duringTransaction } from '@/test/open-transaction';
import { acceptEvents, cancelMarkedRuns, routeNextEvent } from './events';
import { INNGEST_LIMITS } from './limits';
import { applyAnswer } from './outcome';
import { leaseItems, type QueueItem, readRunState, releaseLease, releaseOrphanedLeases } from './queue';
import { createRun } from './runs';
import type { Sql } from './store';
import { definition, event, NOW, setUpStore, statements } from './test-store';

const { pool, rows } = setUpStore();
let sql: Sql;
beforeAll(() => {
  sql = pool();
});

/** What a runner does that takes over. */
const takeOver = ['UPDATE leader SET generation = 2', 'UPDATE queue SET lease = NULL'];

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

  const stepsQueued = async () => (await rows()).queue.map((row) => row['step_id']);
  const ran = (item: QueueItem) => answer(item, [{ op: 'StepRun', id: item.step_id, data: 1 }], 206)();

  it('is resumed once, when the last of its parallel steps has ended', async () => {
    const { item } = await startRun();
    const planned = ['a', 'b'].map((step) => ({ op: 'StepPlanned', id: step, name: step }));
    await answer(item, planned, 206)();
    const [a, b] = await leaseItems(sql, leaseOptions);
    if (!a || !b) throw new Error('two steps should be leased');
    await ran(a);
    expect(await stepsQueued()).toEqual(['b']);
    await ran(b);
    expect((await rows()).queue).toMatchObject([{ kind: 'discover', lease: null }]);
  });

  it('is resumed again if a step ends while it’s being resumed', async () => {
    const { id, item } = await startRun();
    const [row] = await sql<{ id: string }[]>`
      INSERT INTO queue (run_id, fn_id, kind, step_id, step_name, available_at, rank, lease)
      VALUES (${id}, ${definition.id}, 'step', 'a', '', 0, 0, 'of a') RETURNING id`;
    await ran({ ...item, id: row?.id ?? '', step_id: 'a', lease: 'of a' });
    await answer(item, [{ op: 'StepPlanned', id: 'b', name: 'b' }], 206)();
    expect((await rows()).queue).toMatchObject([
      { id: item.id, lease: null, again: false },
      { step_id: 'b' },
    ]);
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
