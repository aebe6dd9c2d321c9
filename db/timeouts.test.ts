import { eq, sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entries } from '@/db/schema/entries';
import { errorResponse } from '@/lib/api/error-response';
import { updateEntry } from '@/lib/journal/entries/service';
import { useFreshDatabase } from '@/test/app-database';
import { createTestDatabase, testServer } from '@/test/database';
import { makeEntry, makeUser } from '@/test/factories';
import { db } from './client';
import { migrate } from './migrate';
import { setTimeouts } from './timeouts';

let end: () => Promise<void>;
let other: postgres.Sql;

const connect = (url: string) => postgres(url, { max: 1, onnotice: () => undefined });

/** Shortens the timeouts of a database's later sessions for a test. */
async function shorten(client: postgres.Sql, database: string) {
  for (const name of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) {
    await client`alter role session_user in database ${client(database)} set ${client(name)} = '2s'`;
  }
}

beforeAll(async () => {
  end = await useFreshDatabase();
  const url = process.env.DATABASE_URL ?? '';
  const first = connect(url);
  await first`set statement_timeout = 0`;
  await shorten(first, new URL(url).pathname.slice(1));
  other = first;
});
afterAll(async () => {
  await other.end();
  await end();
});

async function expectUnavailable(work: Promise<unknown>) {
  const failure = errorResponse(
    await work.then(
      () => expect.unreachable('it was not ended'),
      (error: unknown) => error,
    ),
    'a request',
  );
  expect([failure.status, (await failure.json()).code]).toEqual([503, 'unavailable']);
  expect(Number(failure.headers.get('retry-after'))).toBeGreaterThan(0);
}

/** Returns whether anyone holds a lock on an entry. */
const isLocked = async (id: string) =>
  (await other`select from entries where id = ${id} for update skip locked`).length === 0;

describe('what takes too long', () => {
  it('ends as unavailable when it is a statement, and frees its locks', async () => {
    const entry = await makeEntry((await makeUser()).id);
    await other.unsafe(`create function slow() returns trigger language plpgsql as
      $$ begin perform pg_sleep(600); return new; end $$`);
    await other`create trigger slow after update on entries for each row execute function slow()`;
    await expectUnavailable(updateEntry(entry.userId, entry.id, { title: 'Never' }));
    expect(await isLocked(entry.id)).toBe(false);
    await other`drop trigger slow on entries`;
    expect((await updateEntry(entry.userId, entry.id, { title: 'Later' })).title).toBe('Later');
  });

  it('ends as unavailable when it is a wait for a lock', async () => {
    const entry = await makeEntry((await makeUser()).id);
    await other.begin(async (tx) => {
      await tx`select from entries where id = ${entry.id} for update`;
      await expectUnavailable(updateEntry(entry.userId, entry.id, { title: 'Never' }));
    });
    expect((await updateEntry(entry.userId, entry.id, { title: 'Later' })).title).toBe('Later');
  });

  it('ends as unavailable when it is a transaction that does nothing, and frees its locks', async () => {
    const entry = await makeEntry((await makeUser()).id);
    await expectUnavailable(
      db().transaction(async (tx) => {
        await tx.update(entries).set({ title: 'Never' }).where(eq(entries.id, entry.id));
        expect(await isLocked(entry.id)).toBe(true);
        while (await isLocked(entry.id));
        await tx.execute(sql`select 1`);
      }),
    );
    expect((await updateEntry(entry.userId, entry.id, { title: 'Later' })).title).toBe('Later');
  });
});

describe('the timeouts', () => {
  const NAMES = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

  it('are set by migrating, for every later session, and leave migrations their time', async () => {
    const server = connect((await testServer()).url);
    const name = `migrated_${crypto.randomUUID().replaceAll('-', '')}`;
    await server`create database ${server(name)}`;
    await shorten(server, name);
    const url = new URL((await testServer()).url);
    url.pathname = name;
    const database = connect(url.href);
    await database.unsafe(`create function slow() returns event_trigger language plpgsql as
      $$ begin perform pg_sleep(3); end $$`);
    await database`create event trigger slow on ddl_command_end
      when tag in ('CREATE TEXT SEARCH DICTIONARY') execute function slow()`;
    await migrate(url.href);
    await database.end();
    const later = connect(url.href);
    const shown = [];
    for (const setting of NAMES)
      shown.push((await later`select current_setting(${setting}) as value`)[0]?.value);
    expect(shown).toEqual(['20s', '10s', '2min']);
    await later.end();
    await server`drop database ${server(name)} with (force)`;
    await server.end();
  });

  it('may be set by several at once, for the first time and again', async () => {
    const { url, drop } = await createTestDatabase();
    const clients = Array.from({ length: 5 }, () => connect(url));
    for (const client of clients) await client`select 1`;
    const database = new URL(url).pathname.slice(1);
    for (let turn = 0; turn < 20; turn += 1) {
      await clients[0]?.unsafe(`alter role session_user in database "${database}" reset all`);
      await Promise.all(clients.map((client) => setTimeouts(client)));
    }
    await Promise.all(clients.map((client) => setTimeouts(client)));
    const later = connect(url);
    expect(await later`select current_setting('statement_timeout') as value`).toEqual([{ value: '20s' }]);
    await Promise.all([...clients, later].map((client) => client.end()));
    await drop();
  });
});
