import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';

export type TestPostgres = { databaseUrl: string; stop(): Promise<void> };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || !address) throw new Error('There is no free port.');
  return address.port;
}

function findBinaries(): string {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env['PATH'] ?? '').split(':'),
    ...versions.map((version) => join(debian, version, 'bin')),
  ];
  const found = folders.find((folder) =>
    ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))),
  );
  if (!found) throw new Error('There is no Postgres here: set TEST_DATABASE_URL.');
  return found;
}

/** A throw-away Postgres, or the database of TEST_DATABASE_URL. Postgres refuses to run as root: then as `nobody`. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given) return { databaseUrl: given, stop: async () => {} };
  const binaries = findBinaries();
  const folder = mkdtempSync(join(tmpdir(), 'inngest-local-'));
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  const owner = process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : {};
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const options = { cwd: folder, ...owner };
  execFileSync(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '-N'],
    { ...options, stdio: 'ignore' },
  );
  const port = await freePort();
  const child = spawn(
    join(binaries, 'postgres'),
    ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', '', '-F', '-c', 'max_connections=200'],
    { ...options, stdio: 'ignore' },
  );
  const databaseUrl = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const deadline = Date.now() + 30_000;
  for (;;) {
    const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
    const isUp = await sql`SELECT 1`.then(
      () => true,
      () => false,
    );
    await sql.end({ timeout: 1 });
    if (isUp) break;
    if (Date.now() > deadline || child.exitCode !== null) throw new Error('Postgres did not start.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    databaseUrl,
    async stop() {
      child.kill('SIGQUIT');
      if (child.exitCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
