import { createServer, connect as openSocket, type Socket } from 'node:net';
import { sql } from 'drizzle-orm';
import { NextRequest } from 'next/server';
import type postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawRoute } from '@/lib/api/endpoint';
import { withJobWaits } from '@/lib/foundation/admission';
import { useFreshDatabase } from '@/test/app-database';
import { db } from './client';
import { openDatabase } from './connect';
import { boundedPool, type Deadlines } from './deadlines';
import { isDatabaseUnavailable } from './errors';

let end: () => Promise<void>;

beforeAll(async () => {
  end = await useFreshDatabase();
});
afterAll(() => end());

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

const handle = rawRoute(async () => Response.json(await db().execute(sql`select 1 as one`)));
const request = () => handle(new NextRequest('http://localhost:3000/api/v1/anything'), {});

describe('a pool whose connections are all taken', () => {
  it('makes a request fail as unavailable, and a job wait', async () => {
    const { open, opened } = gate();
    let begun = 0;
    const holders = Array.from({ length: 10 }, () =>
      db().transaction(async (tx) => {
        await tx.execute(sql`select 1`);
        begun += 1;
        await opened;
      }),
    );
    await expect.poll(() => begun).toBe(10);
    const job = withJobWaits(async () => (await db().execute(sql`select 2 as two`))[0]);
    const transaction = db().transaction((tx) => tx.execute(sql`select 3`));
    const refused = expect(transaction).rejects.toSatisfy(isDatabaseUnavailable);
    const response = await request();
    expect([response.status, (await response.json()).code]).toEqual([503, 'unavailable']);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    await refused;
    open();
    expect(await job).toEqual({ two: 2 });
    await Promise.all(holders);
    expect((await request()).status).toBe(200);
  });
});

/** Starts a proxy to the test's database that can go silent: its connections stay open, and nothing comes through. */
async function startProxy() {
  const { hostname, port } = new URL(process.env.DATABASE_URL ?? '');
  const sockets = new Set<Socket>();
  let isSilent = false;
  const held: (() => void)[] = [];
  const server = createServer((client) => {
    const upstream = openSocket(Number(port), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
      from.on('data', (data) => {
        if (!isSilent) to.write(data);
        else held.push(() => to.writable && to.write(data));
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = new URL(process.env.DATABASE_URL ?? '');
  const bound = server.address();
  address.port = String(typeof bound === 'object' && bound?.port);
  address.hostname = '127.0.0.1';
  return {
    url: address.href,
    setSilent: (value: boolean) => {
      isSilent = value;
      held.length = 0;
    },
    /** Ends the silence like a pooler that has a connection again: what was sent meanwhile arrives. */
    deliver: () => {
      isSilent = false;
      for (const send of held.splice(0)) send();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

describe('a database that has gone silent', () => {
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  let pool: () => postgres.Sql;
  /** Has a check, and would otherwise wait for minutes. */
  let checked: () => postgres.Sql;
  beforeAll(async () => {
    proxy = await startProxy();
    pool = openPool({ answerMs: 500 });
    checked = openPool({
      answerMs: 600_000,
      silence: {
        askAfterMs: 50,
        answerMs: 500,
        open: openOne,
      },
    });
  });
  afterAll(() => proxy.close());

  const openOne = () => openDatabase(proxy.url, { max: 1, fetch_types: false });
  const openPool = (deadlines: Pick<Deadlines, 'answerMs' | 'silence'>) =>
    boundedPool(
      (options) => openDatabase(proxy.url, { ...options, max: 1 }),
      (opened): postgres.Sql => opened,
      { connections: 1, waitMs: () => 600_000, ...deadlines },
    );

  const ask = (from: Pick<postgres.Sql, 'unsafe'>) => from.unsafe('select 1 as one');
  const silence = () => proxy.setSilent(true);
  const works: [string, () => Promise<unknown>][] = [
    [
      'a query',
      async () => {
        silence();
        await ask(pool());
      },
    ],
    [
      'a transaction’s start',
      async () => {
        silence();
        await pool().begin((tx) => ask(tx));
      },
    ],
    [
      'a transaction’s statement',
      () =>
        pool().begin(async (tx) => {
          await ask(tx);
          silence();
          await ask(tx);
        }),
    ],
    [
      'a transaction’s end',
      () =>
        pool().begin(async (tx) => {
          await ask(tx);
          silence();
        }),
    ],
  ];
  it.each(works)('makes %s fail as unavailable, and is used again once it answers', async (_, work) => {
    expect(await ask(pool())).toMatchObject([{ one: 1 }]);
    await expect(work()).rejects.toSatisfy(isDatabaseUnavailable);
    proxy.setSilent(false);
    expect(await ask(pool())).toMatchObject([{ one: 1 }]);
  });

  it('is noticed by a statement, a transaction, and a new connection that a check confirms it to', async () => {
    const silent = [
      () => ask(checked()),
      () => checked().begin((tx) => ask(tx)),
      // The pool was replaced, so this one connects.
      () => ask(checked()),
    ];
    for (const work of silent) {
      if (work !== silent.at(-1)) expect(await ask(checked())).toMatchObject([{ one: 1 }]);
      proxy.setSilent(true);
      // While nothing comes through: nobody has to wait for the end of the outage.
      await expect(work()).rejects.toSatisfy(isDatabaseUnavailable);
      if (work !== silent.at(-2)) proxy.setSilent(false);
    }
    expect(await ask(checked())).toMatchObject([{ one: 1 }]);
  });

  it('leaves no transaction open that was given up and begins later', async () => {
    const left = async () => {
      const rows = await db().execute(sql`select 1 from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%'`);
      return rows.length;
    };
    const before = await left();
    expect(await ask(checked())).toMatchObject([{ one: 1 }]);
    proxy.setSilent(true);
    await expect(checked().begin((tx) => ask(tx))).rejects.toSatisfy(isDatabaseUnavailable);
    proxy.deliver();
    expect(await ask(checked())).toMatchObject([{ one: 1 }]);
    await expect.poll(left, { timeout: 30_000 }).toBe(before);
  });

  it('gets no statement later that was given up', async () => {
    const isOpen = async (pid: unknown) =>
      (await db().execute(sql`select 1 from pg_stat_activity where pid = ${pid}`)).length > 0;
    await db().execute(sql`create table written (word text)`);
    const [connection] = await checked().unsafe('select pg_backend_pid() as pid');
    proxy.setSilent(true);
    const write = checked().unsafe('insert into written values ($1)', ['late']);
    await expect(write).rejects.toSatisfy(isDatabaseUnavailable);
    proxy.deliver();
    await expect.poll(() => isOpen(connection?.pid), { timeout: 30_000 }).toBe(false);
    expect(await db().execute(sql`select word from written`)).toEqual([]);
  });

  it('isn’t what a long statement is taken for', async () => {
    const patient = openPool({
      answerMs: 600_000,
      silence: { askAfterMs: 50, answerMs: 60_000, open: openOne },
    });
    const slow = patient().unsafe('select pg_sleep(0.5), 1 as one');
    await expect(slow).resolves.toMatchObject([{ one: 1 }]);
  });
});
