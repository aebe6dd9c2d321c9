import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterEach, expect, test } from 'vitest';
import { spawnProgram } from '../up/fixtures/node-process';
import { identifyProcess, isSameProcess, waitUntil } from '../up/processes';
import { type PostgresServer, startPostgres } from './server';

const open: PostgresServer[] = [];
const folders: string[] = [];

/** Returns a folder that only this user can enter. When tests run as root, the server's user can't. */
function closedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'daylight-postgres-'));
  chmodSync(folder, 0o700);
  folders.push(folder);
  return join(folder, 'postgres');
}

async function start(dataDir: string, port?: number): Promise<PostgresServer> {
  const server = await startPostgres({ dataDir, port });
  open.push(server);
  return server;
}

async function query<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

const setting = (url: string, name: string): Promise<string> =>
  query(url, async (sql) => (await sql`select current_setting(${name}) as value`)[0]?.value);

afterEach(async () => {
  for (const server of open.splice(0)) await server.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

test('a new server is durable, local and password-protected, even in a folder closed to other users', async () => {
  const dataDir = closedFolder();
  const server = await start(dataDir);
  expect(server.adopted).toBe(false);
  const read = (name: string) => setting(server.adminUrl, name);
  expect(await read('listen_addresses')).toBe('127.0.0.1');
  expect(await read('unix_socket_directories')).toBe('');
  expect(await read('fsync')).toBe('on');
  expect(await read('data_checksums')).toBe('on');
  expect(await read('server_encoding')).toBe('UTF8');
  expect(await read('TimeZone')).toBe('UTC');
  expect(await query(server.url, async (sql) => (await sql`select lower('ÉCOLE') as word`)[0]?.word)).toBe(
    'école',
  );
  const guess = server.url.replace(/:[^:@]+@/, ':guess@');
  await expect(query(guess, (sql) => sql`select 1`)).rejects.toThrow(/password/);
  for (const name of ['password', 'admin-password']) {
    expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600);
  }
  expect(statSync(join(dataDir, 'data')).uid === 0).toBe(false);
  await query(server.url, (sql) => sql`create extension pg_trgm`);

  const itself = identifyProcess(server.pid);
  await server.stop();
  expect(isSameProcess(itself)).toBe(false);
  expect(existsSync(join(dataDir, 'data', 'postmaster.pid'))).toBe(false);
});

test("doesn't log what people wrote", async () => {
  const dataDir = closedFolder();
  const server = await start(dataDir);
  await query(server.url, async (sql) => {
    await sql`create table notes (text text primary key)`;
    await sql`insert into notes values ('my secret day')`;
    await expect(sql`insert into notes values ('my secret day')`).rejects.toThrow(/duplicate/);
    await expect(sql.unsafe(`select 'my secret day'::integer`)).rejects.toThrow(/integer/);
  });
  expect(readFileSync(join(dataDir, 'server.log'), 'utf8')).not.toContain('secret day');
});

test('adopts a server whose starter was killed with -9', async () => {
  const dataDir = closedFolder();
  const launcher = await spawnProgram('local/up/fixtures/postgres-launcher.ts', [dataDir]);
  await launcher.shows('"port"');
  const first = JSON.parse(launcher.output()) as { pid: number; port: number; url: string };
  await query(first.url, (sql) => sql`create table kept as select 7 as number`);
  launcher.child.kill('SIGKILL');
  await launcher.ended;

  const server = await start(dataDir);
  expect(server).toMatchObject({ adopted: true, pid: first.pid, port: first.port, url: first.url });
  expect(await query(server.url, (sql) => sql`select number from kept`)).toEqual([{ number: 7 }]);

  let told = false;
  server.onExit(() => {
    told = true;
  });
  process.kill(server.pid, 'SIGKILL');
  expect(await waitUntil(() => told, 60_000)).toBe(true);
});

test('kill -9 of the server loses nothing that was committed, and it restarts on the same port', async () => {
  const dataDir = closedFolder();
  let server = await start(dataDir);
  const { port } = server;
  await query(server.url, (sql) => sql`create table acknowledged (id integer)`);
  for (let round = 0; round < 3; round += 1) {
    const gone = new Promise<void>((resolve) => server.onExit(resolve));
    let acknowledged = 0;
    const writing = query(server.url, async (sql) => {
      for (;;) {
        await sql`insert into acknowledged values (${round * 1e6 + acknowledged})`;
        acknowledged += 1;
        if (acknowledged === 50) process.kill(server.pid, 'SIGKILL');
      }
    });
    await expect(writing).rejects.toThrow();
    await gone;
    server = await start(dataDir, port);
    expect(server).toMatchObject({ port, adopted: false });
    const rows = await query(
      server.url,
      (sql) =>
        sql`select id from acknowledged where id >= ${round * 1e6} and id < ${round * 1e6 + acknowledged}`,
    );
    expect(rows.length).toBe(acknowledged);
  }
});

test('ignores a pid file that names another running process', async () => {
  const dataDir = closedFolder();
  const server = await start(dataDir);
  await server.stop();
  writeFileSync(
    join(dataDir, 'data', 'postmaster.pid'),
    `${process.pid}\n/elsewhere\n0\n${server.port}\n\n\n\n`,
  );
  const next = await start(dataDir);
  expect(next.adopted).toBe(false);
  expect(await setting(next.url, 'fsync')).toBe('on');
});

test('starts over after a kill during initdb', async () => {
  const dataDir = closedFolder();
  mkdirSync(join(dataDir, 'data.new', 'base'), { recursive: true });
  writeFileSync(join(dataDir, 'data.new', 'PG_VERSION'), '15\n');
  expect(await setting((await start(dataDir)).url, 'fsync')).toBe('on');
});

test('reports data of another version and leaves it unchanged', async () => {
  const dataDir = closedFolder();
  const data = join(dataDir, 'data');
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, 'PG_VERSION'), '9\n');
  await expect(startPostgres({ dataDir })).rejects.toThrow(
    /made by PostgreSQL 9.*Install PostgreSQL 9.*DATA_DIR/s,
  );
  expect(readFileSync(join(data, 'PG_VERSION'), 'utf8')).toBe('9\n');
  expect(existsSync(join(dataDir, 'password'))).toBe(false);
});

test("a throwaway server doesn't wait for the disk", async () => {
  const server = await startPostgres({ dataDir: closedFolder(), throwaway: true });
  open.push(server);
  expect(await setting(server.url, 'fsync')).toBe('off');
});
