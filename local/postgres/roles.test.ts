import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type postgres from 'postgres';
import { afterEach, expect, test } from 'vitest';
import { openDatabase } from '@/db/connect';
import { migrate } from '@/db/migrate';
import { openStore } from '../inngest/store';
import { type PostgresServer, startPostgres } from './server';

const running: PostgresServer[] = [];
const folders: string[] = [];

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'daylight-roles-'));
  chmodSync(folder, 0o700);
  folders.push(folder);
  return join(folder, 'postgres');
}

async function start(dataDir: string): Promise<PostgresServer> {
  const server = await startPostgres({ dataDir, throwaway: true });
  running.push(server);
  return server;
}

async function query<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = openDatabase(url, { max: 1, onnotice: () => undefined });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

const withDatabase = (url: string, name: string): string =>
  Object.assign(new URL(url), { pathname: name }).href;

/** Creates the tables of the app and the job runner, with one account. */
async function seedTables(url: string): Promise<void> {
  await migrate(url);
  const store = await openStore(url, 'inngest_local');
  await store.end();
  await query(
    url,
    (sql) => sql`insert into users (id, email, password_hash, first_name, last_name, gender, date_of_birth)
      values (gen_random_uuid(), 'ada@example.com', 'none', 'Ada', 'Lovelace', 'female', '1990-12-10')`,
  );
}

/** Turns a server into one of an earlier version, where `daylight` is the superuser created by initdb. */
async function createOldCluster({ url, adminUrl }: PostgresServer, dataDir: string): Promise<void> {
  const password = new URL(url).password;
  await query(adminUrl, async (sql) => {
    await sql`drop database daylight`;
    await sql`drop role daylight`;
    await sql.unsafe(`create role helper superuser login password '${password}'`);
  });
  const helper = new URL(adminUrl);
  Object.assign(helper, { username: 'helper', password });
  await query(helper.href, async (sql) => {
    await sql`alter role postgres rename to daylight`;
    await sql.unsafe(`alter role daylight password '${password}'`);
  });
  await query(withDatabase(url, 'postgres'), async (sql) => {
    await sql`drop role helper`;
    await sql`create database daylight`;
  });
  rmSync(join(dataDir, 'admin-password'));
}

/** Returns what the app's role doesn't own in its database, except extensions. */
const foreignObjects = (url: string) =>
  query(
    url,
    (sql) => sql`
      with members as (select objid from pg_depend where deptype = 'e')
      select relname as name from pg_class join pg_namespace n on n.oid = relnamespace
        where pg_get_userbyid(relowner) <> 'daylight' and nspname !~ '^pg_' and nspname <> 'information_schema'
          and pg_class.oid not in (table members)
      union all select proname from pg_proc join pg_namespace n on n.oid = pronamespace
        where pg_get_userbyid(proowner) <> 'daylight' and nspname !~ '^pg_' and nspname <> 'information_schema'
          and pg_proc.oid not in (table members)
      union all select typname from pg_type join pg_namespace n on n.oid = typnamespace
        where pg_get_userbyid(typowner) <> 'daylight' and nspname !~ '^pg_' and nspname <> 'information_schema'
          and typelem = 0 and pg_type.oid not in (table members)
      union all select cfgname from pg_ts_config where cfgname ~ 'daylight' and pg_get_userbyid(cfgowner) <> 'daylight'
      union all select dictname from pg_ts_dict where dictname ~ 'daylight' and pg_get_userbyid(dictowner) <> 'daylight'
      union all select nspname from pg_namespace
        where nspname in ('drizzle', 'inngest_local') and pg_get_userbyid(nspowner) <> 'daylight'
      union all select datname from pg_database where datname = 'daylight' and pg_get_userbyid(datdba) <> 'daylight'`,
  ).then((rows) => rows.map((row) => row.name));

async function expectUnprivileged(url: string): Promise<void> {
  const rights = await query(
    url,
    (sql) => sql`select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
      pg_has_role('pg_read_server_files', 'member') as files, pg_has_role('pg_execute_server_program', 'member') as programs
      from pg_roles where rolname = current_user`,
  );
  expect(Object.values(rights[0] ?? {})).toEqual([false, false, false, false, false, false, false]);
  const refused = [
    `copy (select 1) to program 'true'`,
    `select pg_read_file('/etc/passwd')`,
    'create role another',
    'create database another',
    `alter system set fsync = off`,
    'alter role daylight superuser',
    'set role postgres',
    'create extension plpython3u',
  ];
  for (const statement of refused) {
    await expect(
      query(url, (sql) => sql.unsafe(statement)),
      statement,
    ).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|0A000)$/) });
  }
}

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

test("the app's role owns its tables and nothing more", async () => {
  const { url } = await start(newFolder());
  await seedTables(url);
  expect(await foreignObjects(url)).toEqual([]);
  await expectUnprivileged(url);
});

test.each(['', 'after its first start was killed halfway'])(
  'converts data of an earlier version, where the role was the superuser %s',
  async (interrupted) => {
    const dataDir = newFolder();
    const old = await start(dataDir);
    await createOldCluster(old, dataDir);
    await seedTables(old.url);
    expect(await foreignObjects(old.url)).toEqual([]);
    if (interrupted) {
      await query(withDatabase(old.url, 'postgres'), (sql) =>
        sql.unsafe(`create role daylight_renamer superuser login password 'of-the-killed-start'`),
      );
    }
    await old.stop();

    const server = await start(dataDir);
    expect(new URL(server.url).password).toBe(new URL(old.url).password);
    expect(await foreignObjects(server.url)).toEqual([]);
    await expectUnprivileged(server.url);
    expect(await query(server.url, (sql) => sql`select email from users`)).toEqual([
      { email: 'ada@example.com' },
    ]);
    const roles = await query(
      server.url,
      (sql) => sql`select rolname from pg_roles where rolcanlogin order by 1`,
    );
    expect(roles.map((role) => role.rolname)).toEqual(['daylight', 'postgres']);
    await migrate(server.url);
    await query(server.url, (sql) => sql`alter table users add column later text`);
    await server.stop();
    expect(await query((await start(dataDir)).url, (sql) => sql`select later from users`)).toEqual([
      { later: null },
    ]);
  },
);
