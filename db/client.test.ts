import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLocalServices } from '@/test/services';
import { db } from './client';
import { isDatabaseUnavailable } from './errors';
import { executePrepared } from './prepared';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

describe('the pool', () => {
  it('outlives the death of its connections in the middle of transactions, and says what happened', async () => {
    const admin = postgres(services.databaseUrl, { max: 1 });
    const outcomes: unknown[] = [];
    for (let round = 0; round < 5; round += 1) {
      const work = Array.from({ length: 8 }, () =>
        db()
          .transaction(async (tx) => {
            await tx.execute(sql`select 1`);
            await tx.execute(sql`select pg_sleep(30)`);
          })
          .then(
            () => 'done',
            (error: unknown) => error,
          ),
      );
      let asleep = 0;
      while (asleep < 8) {
        const [row] = await admin`select count(*)::int as n from pg_stat_activity
          where datname = current_database() and query like '%pg_sleep%' and pid <> pg_backend_pid()`;
        asleep = row?.n ?? 0;
      }
      await admin`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`;
      outcomes.push(...(await Promise.all(work)));
    }
    await admin.end();
    expect(outcomes).toHaveLength(40);
    for (const outcome of outcomes) expect(isDatabaseUnavailable(outcome), String(outcome)).toBe(true);
    expect(await db().execute(sql`select 1 as one`)).toMatchObject([{ one: 1 }]);
  });

  it.each(['asks again', 'fails', 'is done'])(
    'outlives a body that %s after its connection was lost',
    async (then) => {
      const admin = postgres(services.databaseUrl, { max: 1 });
      let resume = () => {};
      const lost = new Promise<void>((resolve) => {
        resume = resolve;
      });
      let body: Promise<unknown> | undefined;
      const transaction = db().transaction((tx) => {
        body = (async () => {
          const [row] = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
          await admin`select pg_terminate_backend(${row?.pid ?? 0})`;
          await lost;
          if (then === 'asks again') await tx.execute(sql`select 1`);
          if (then === 'fails') throw new Error('on its own');
        })();
        return body;
      });
      const error = await transaction.catch((reason: unknown) => reason);
      expect(isDatabaseUnavailable(error), String(error)).toBe(true);
      // Continue only now that the driver has forgotten the connection.
      resume();
      const end = await body?.then(
        () => 'done',
        (reason: unknown) => reason,
      );
      if (then === 'asks again') expect(isDatabaseUnavailable(end), String(end)).toBe(true);
      // An uncatchable exception would surface in the next turns of the event loop and fail this run.
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      await admin.end();
      expect(await db().execute(sql`select 1 as one`)).toMatchObject([{ one: 1 }]);
    },
  );

  it('prepares no statement unless it is told that it may, as not every pooler knows them', async () => {
    expect(await executePrepared(sql`select 2 * ${3}::int as doubled`)).toEqual([{ doubled: 6 }]);
    expect(await db().execute(sql`select statement from pg_prepared_statements`)).toEqual([]);
  });
});
