import { beforeAll, describe, expect, it } from 'vitest';
import { duringTransaction } from '@/test/open-transaction';
import { acceptEvents, routeNextEvent } from './events';
import { openStore, type Sql } from './store';
import { definition, event, NOW, setUpStore, statements } from './test-store';
import { startDueCrons, syncCrons } from './timers';

const { pool, rows } = setUpStore();
let sql: Sql;
beforeAll(() => {
  sql = pool();
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
