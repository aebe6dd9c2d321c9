import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getEntry } from '@/lib/journal/entries/service';
import { postNote } from '@/lib/journal/notes/service';
import { useFreshDatabase } from '@/test/app-database';
import { createTestDatabase, testServer } from '@/test/database';
import { searchEntryIds } from '@/test/entry-fixtures';
import { migrate } from './migrate';

const ADA = '01900000-0000-7000-8000-000000000001';
const WALK = '01900000-0000-7000-8000-000000000101';
const LAST_REPLACED = 1795366291775;

const connect = (url: string) => postgres(url, { max: 1, onnotice: () => undefined });
const cleanUp: (() => Promise<unknown>)[] = [];

async function run<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = connect(url);
  return work(sql).finally(() => sql.end());
}

async function createEmptyDatabase(): Promise<string> {
  const name = `test_old_${randomBytes(8).toString('hex')}`;
  const server = await testServer();
  const url = new URL(server.appUrl);
  await run(
    server.url,
    (sql) => sql`create database ${sql(name)} template template0 owner ${sql(url.username)}`,
  );
  cleanUp.unshift(() => run(server.url, (sql) => sql`drop database if exists ${sql(name)} with (force)`));
  url.pathname = name;
  return url.href;
}

/** Sets up a database like one from before the migrations were squashed. */
async function createOldDatabase(): Promise<string> {
  const url = await createEmptyDatabase();
  const dump = path.join(import.meta.dirname, '../test/fixtures/before-squash.sql');
  const statements = await readFile(dump, 'utf8');
  await run(url, (sql) => sql.unsafe(statements));
  return url;
}

/** Returns everything that defines a database's behavior, without the order of columns. */
const readSchema = (url: string) =>
  run(url, async (sql) => {
    const parts = [
      sql`select table_name, column_name, data_type, udt_name, is_nullable, column_default, datetime_precision,
          is_identity, identity_generation
        from information_schema.columns where table_schema = 'public'
          and table_name not in (select c.relname from pg_class c join pg_depend d on d.objid = c.oid and d.deptype = 'e')
        order by 1, 2`,
      sql`select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint
        where connamespace = 'public'::regnamespace and contype <> 'n' order by 1, 2`,
      sql`select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1`,
      sql`select pg_get_functiondef(p.oid) as definition from pg_proc p
        where pronamespace = 'public'::regnamespace and prokind = 'f'
          and not exists (select from pg_depend where objid = p.oid and deptype = 'e') order by p.oid::regprocedure::text`,
      sql`select pg_get_triggerdef(oid) as definition from pg_trigger where not tgisinternal order by tgname`,
      sql`select typname, array_agg(enumlabel order by enumsortorder) from pg_enum join pg_type t on t.oid = enumtypid
        group by 1 order by 1`,
      sql`select cfgname, maptokentype, mapseqno, mapdict::regdictionary::text from pg_ts_config c
        join pg_ts_config_map on mapcfg = c.oid where cfgnamespace = 'public'::regnamespace order by 1, 2, 3`,
      sql`select dictname, dictinitoption from pg_ts_dict d where dictnamespace = 'public'::regnamespace
          and not exists (select from pg_depend where objid = d.oid and deptype = 'e') order by 1`,
      sql`select extname from pg_extension order by 1`,
      sql`select sequencename, data_type::text, start_value, increment_by from pg_sequences
        where schemaname = 'public' order by 1`,
    ];
    const found = [];
    for (const part of parts) {
      const rows = await part;
      // A restored dump writes (a AND b) AND c as a AND b AND c.
      found.push(rows.map((row) => JSON.stringify(row).replace(/[()]/g, '')));
    }
    return found;
  });

const readRows = (url: string) =>
  run(url, async (sql) => {
    const tables = await sql`select tablename from pg_tables where schemaname = 'public' order by 1`;
    const found: [string, postgres.Row[]][] = [];
    for (const { tablename } of tables) {
      found.push([tablename, [...(await sql`select * from ${sql(tablename)} order by 1, 2`)]]);
    }
    return found;
  });

const readMigrations = (url: string) =>
  run(url, (sql) => sql`select hash, created_at from drizzle.__drizzle_migrations order by id`);

let url: string;
let rowsBefore: Awaited<ReturnType<typeof readRows>>;
let migrationsBefore: number;

beforeAll(async () => {
  url = await createOldDatabase();
  rowsBefore = await readRows(url);
  migrationsBefore = (await readMigrations(url)).length;
  await migrate(url);
  const end = await useFreshDatabase({ settings: { DATABASE_URL: url } });
  cleanUp.unshift(end);
});
afterAll(async () => {
  for (const step of cleanUp) await step();
});

it('keeps every row of a database from before the squash', async () => {
  expect(rowsBefore.filter(([, rows]) => rows.length > 0).length).toBeGreaterThan(10);
  const tablesBefore = new Set(rowsBefore.map(([table]) => table));
  // Later migrations may have added columns.
  const rowsAfter = (await readRows(url)).filter(([table]) => tablesBefore.has(table));
  expect(rowsAfter).toMatchObject(rowsBefore);
});

it('leaves an upgraded database with the schema of a new one', async () => {
  const created = await createTestDatabase();
  cleanUp.unshift(created.drop);
  const [upgraded, fresh] = await Promise.all([readSchema(url), readSchema(created.url)]);
  expect(fresh.map((part) => part.length)).not.toContain(0);
  expect(upgraded).toEqual(fresh);
});

it('changes nothing when it runs again, or twice at once', async () => {
  const before = await readMigrations(url);
  expect(before.length).toBeGreaterThan(migrationsBefore);
  await Promise.all([migrate(url), migrate(url)]);
  expect(await readMigrations(url)).toEqual(before);
});

it('records the squashed migrations once when two deployments upgrade at the same time', async () => {
  const other = await createOldDatabase();
  await Promise.all([migrate(other), migrate(other)]);
  expect(await readMigrations(other)).toEqual(await readMigrations(url));
});

it('migrates an empty database once when three deployments start at the same time', async () => {
  const empty = await createEmptyDatabase();
  await Promise.all([migrate(empty), migrate(empty), migrate(empty)]);
  const fresh = await createTestDatabase();
  cleanUp.unshift(fresh.drop);
  expect(await readMigrations(empty)).toEqual(await readMigrations(fresh.url));
});

it('finds and changes entries from before the squash', async () => {
  expect(await searchEntryIds(ADA, 'lighthouse')).toEqual([WALK]);
  expect((await getEntry(ADA, WALK)).title).toBe('A walk by the sea');
  await postNote(ADA, WALK, { text: 'We saw a cormorant' });
  expect(await searchEntryIds(ADA, 'cormorants')).toEqual([WALK]);
});

it('rejects a database that is older than the last replaced migration, and leaves it alone', async () => {
  const older = await createOldDatabase();
  await run(
    older,
    (sql) => sql`delete from drizzle.__drizzle_migrations where created_at = ${LAST_REPLACED}`,
  );
  const before = await readMigrations(older);
  await expect(migrate(older)).rejects.toThrow(/start the last version that has db\/migrations\/0019/);
  expect(await readMigrations(older)).toEqual(before);
});
