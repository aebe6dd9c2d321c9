import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tsxModule } from '@/local/up/app-server';
import { projectRoot } from '@/local/up/data-dir';
import { createEmptyDatabase as createEmpty, createTestDatabase, testServer } from '@/test/database';
import { buildPrograms } from '@/test/programs';
import { openDatabase } from './connect';
import { type Migration, readMigrations } from './migrate';

const MIGRATIONS = readMigrations();
const NEWEST = Math.max(...MIGRATIONS.map(({ at }) => at));
const UP_TO_DATE = 'The database is up to date.\n';
const ALL_APPLIED = `Applied ${MIGRATIONS.length} migrations.\n`;
/** The last line where there's no account yet: with a new code, and later. */
const NEW_CODE = /^Create the first account at (\S+) with the setup code \d{4} \d{4}\n$/m;
const OLD_CODE =
  /^Create the first account at (\S+) with the setup code that was printed before \(.*\)\.\n$/m;

const cleanUp: (() => Promise<unknown>)[] = [];
let programs: Awaited<ReturnType<typeof buildPrograms>>;

async function query<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = openDatabase(url, { max: 1, onnotice: () => undefined });
  return work(sql).finally(() => sql.end());
}

async function createEmptyDatabase(given: Parameters<typeof createEmpty>[0] = {}): Promise<string> {
  const { url, drop } = await createEmpty(given);
  cleanUp.unshift(drop);
  return url;
}

const createDatabaseFrom0 = (options: string) =>
  createEmptyDatabase({ options: `template template0 ${options}` });

/** Applies migrations to an empty database as an earlier version did. */
async function applyByHand(sql: postgres.Sql, migrations: Migration[]): Promise<void> {
  await sql`create schema drizzle`;
  await sql`create table drizzle.__drizzle_migrations (id serial primary key, hash text, created_at bigint)`;
  for (const { statements, hash, at } of migrations) {
    for (const statement of statements) await sql.unsafe(statement);
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${at})`;
  }
}

async function createMigratedDatabase(): Promise<string> {
  const { url, drop } = await createTestDatabase();
  cleanUp.unshift(drop);
  return url;
}

const run = (url: string, env: Record<string, string> = {}, ...args: string[]) =>
  programs.start('migrate', { DATABASE_URL: url, APP_URL: '', SETUP_CODE: '', ...env }, args).ended;

/** Returns what a run says about the schema, without a last line about the first account. */
const aboutSchema = (output: string) => output.replace(NEW_CODE, '').replace(OLD_CODE, '');

beforeAll(async () => {
  programs = await buildPrograms();
  cleanUp.push(programs.remove);
});
afterAll(async () => {
  for (const step of cleanUp) await step();
});

it('migrates an empty database once, however many deployments start at the same time', async () => {
  const url = await createEmptyDatabase();
  const runs = await Promise.all(Array.from({ length: 5 }, () => run(url)));
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
  expect(runs.map(({ output }) => aboutSchema(output)).sort()).toEqual([
    ALL_APPLIED,
    UP_TO_DATE,
    UP_TO_DATE,
    UP_TO_DATE,
    UP_TO_DATE,
  ]);
  expect(runs.filter(({ output }) => NEW_CODE.test(output))).toHaveLength(1);
});

it('upgrades a database once when two deployments start at the same time', async () => {
  const url = await createEmptyDatabase();
  await query(url, (sql) => applyByHand(sql, MIGRATIONS.slice(0, -1)));
  const runs = await Promise.all([run(url), run(url)]);
  const outcomes = runs.map(({ code, output }) => `${code} ${aboutSchema(output)}`).sort();
  expect(outcomes).toEqual(['0 Applied 1 migration.\n', `0 ${UP_TO_DATE}`]);
});

it('reads .env, like the app', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'daylight-migrate-'));
  cleanUp.push(() => rm(folder, { recursive: true, force: true }));
  await writeFile(path.join(folder, '.env'), `DATABASE_URL=${await createEmptyDatabase()}\n`);
  const { DATABASE_URL: _, ...env } = process.env;
  const script = path.join(projectRoot, 'scripts/migrate.ts');
  const child = spawn(process.execPath, ['--import', tsxModule, script], {
    cwd: folder,
    env: { ...env, NODE_ENV: 'production', TSX_TSCONFIG_PATH: path.join(projectRoot, 'tsconfig.json') },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const [code] = await once(child, 'close');
  expect([code, aboutSchema(output)]).toEqual([0, ALL_APPLIED]);
});

it('prints a setup code once while there’s no account, and another one if it’s asked for', async () => {
  const url = await createMigratedDatabase();
  const site = { APP_URL: 'https://journal.example.com' };
  const lastLine = async (...args: Parameters<typeof run>) => (await run(...args)).output.split('\n').at(-2);
  expect((await run(url, { ...site, SETUP_CODE: 'correct horse' })).output).toBe(
    `${UP_TO_DATE}Create the first account at https://journal.example.com/setup with the code in SETUP_CODE.\n`,
  );
  const first = await run(url, site);
  expect(NEW_CODE.exec(first.output)?.[1]).toBe('https://journal.example.com/setup');
  expect(first.output).toMatch(/\d\n$/);
  expect((await run(url)).output).toBe(
    `${UP_TO_DATE}Create the first account at /setup with the setup code that was printed before (\`npm run db:migrate -- --new-setup-code\` prints a new one).\n`,
  );
  const renewed = await lastLine(url, site, '--new-setup-code');
  expect(`${renewed}\n`).toMatch(NEW_CODE);
  expect(first.output).not.toContain(renewed);
  await query(
    url,
    (sql) =>
      sql`insert into users (id, email, first_name, last_name) values (gen_random_uuid(), 'a@b.c', 'A', 'B')`,
  );
  expect((await run(url, site)).output).toBe(UP_TO_DATE);
  await query(url, (sql) => sql`delete from users`);
  expect(await lastLine(url, site, '--new-setup-code')).toBe(
    'There’s no new setup code: setup ended with the first account.',
  );
});

it('ends setup where an earlier version has made accounts', async () => {
  const url = await createEmptyDatabase();
  const before = MIGRATIONS.findIndex(({ statements }) =>
    statements.some((one) => /CREATE TABLE "setup"/.test(one)),
  );
  expect(before).toBeGreaterThan(0);
  await query(url, async (sql) => {
    await applyByHand(sql, MIGRATIONS.slice(0, before));
    await sql`insert into users (id, email, first_name, last_name) values (gen_random_uuid(), 'a@b.c', 'A', 'B')`;
  });
  const { code, output } = await run(url, {}, '--new-setup-code');
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(/^Applied \d+ migrations\.\nThere’s no new setup code: /),
  ]);
});

it('says what to do when it can’t migrate', async () => {
  const { url: adminUrl } = await testServer();
  const foreign = await createEmptyDatabase({ owner: new URL(adminUrl).username });
  await query(Object.assign(new URL(adminUrl), { pathname: new URL(foreign).pathname }).href, (sql) =>
    sql.unsafe('revoke create on schema public from public'),
  );
  const missing = Object.assign(new URL(foreign), { pathname: '/nowhere' }).href;
  const cases = [
    ['', 'DATABASE_URL is missing.'],
    ['mysql://localhost/daylight', 'DATABASE_URL must start with postgres://.'],
    ['postgres://ada:secret@127.0.0.1:9/daylight', 'The database isn’t responding (ECONNREFUSED).'],
    [missing, 'The database named in DATABASE_URL doesn’t exist.'],
    [foreign, 'The user in DATABASE_URL isn’t allowed to change this database.'],
  ] as const;
  for (const [url, sentence] of cases) {
    const { code, output } = await run(url);
    expect(output, sentence).toContain(sentence);
    expect([code, output.trim().split('\n').length]).toEqual([1, 1]);
    expect(output).not.toContain('secret');
  }
});

it('changes nothing in a database that would break words into pieces', async () => {
  const cases = [
    ["encoding 'SQL_ASCII' locale 'C'", /encoding is SQL_ASCII, but Daylight needs UTF8/],
    ["encoding 'UTF8' locale 'C'", /locale \(LC_CTYPE C\) only knows ASCII letters/],
  ] as const;
  for (const [options, sentence] of cases) {
    const url = await createDatabaseFrom0(options);
    const { code, output } = await run(url);
    expect([code, output]).toEqual([1, expect.stringMatching(sentence)]);
    expect(output).toMatch(/“Encoding” in docs\/settings\.md shows\. Nothing was changed\.\n$/);
    const left = await query(
      url,
      (sql) => sql`
        select nspname::text as name from pg_namespace where nspname !~ '^pg_|^information_schema$'
        union all select extname from pg_extension
        union all select setconfig::text from pg_db_role_setting
          where setdatabase = (select oid from pg_database where datname = current_database())`,
    );
    expect(left.map(({ name }) => name).sort()).toEqual(['plpgsql', 'public']);
  }
});

it('migrates a database as the settings page creates it', async () => {
  const page = await readFile(path.join(projectRoot, 'docs/settings.md'), 'utf8');
  const options = /^create database daylight owner daylight template template0 (.*);$/m.exec(page)?.[1];
  const { code, output } = await run(await createDatabaseFrom0(String(options)));
  expect([code, aboutSchema(output)]).toEqual([0, ALL_APPLIED]);
});

it('leaves a database alone that a newer version has only added to', async () => {
  const url = await createMigratedDatabase();
  await query(url, async (sql) => {
    await sql`alter table users add column from_the_future text`;
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('new', ${NEWEST + 1})`;
  });
  const { code, output } = await run(url);
  expect([code, aboutSchema(output)]).toEqual([0, UP_TO_DATE]);
});

it('rejects a database from which a newer version has removed what this one needs', async () => {
  const url = await createMigratedDatabase();
  await query(
    url,
    (sql) => sql`insert into drizzle.__drizzle_migrations (hash, created_at, needs)
      values ('adds', ${NEWEST + 1}, null), ('removes', ${NEWEST + 2}, ${NEWEST + 1})`,
  );
  const { code, output } = await run(url);
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/^A newer version of Daylight has removed .*\n$/),
  ]);
});
