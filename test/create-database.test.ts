import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findProgram } from '@/lab/real/process';
import { withConnection } from '@/local/postgres/roles';
import { type PostgresServer, startPostgres } from '@/local/postgres/server';

const script = resolve(import.meta.dirname, '../deploy/create-database.sh');
const dir = mkdtempSync(join(tmpdir(), 'daylight-create-database-'));
let server: PostgresServer;

/** A cluster as initdb makes it where no locale is set, without the app's role. */
beforeAll(async () => {
  server = await startPostgres({ dataDir: join(dir, 'postgres'), throwaway: true });
  await withConnection(server.adminUrl, async (sql) => {
    await sql`drop database daylight with (force)`;
    await sql`drop role daylight`;
    await sql`update pg_database set datistemplate = false where datname = 'template1'`;
    await sql`drop database template1`;
    await sql.unsafe(
      "create database template1 template template0 encoding 'SQL_ASCII' locale 'C' locale_provider libc",
    );
  });
});
afterAll(async () => {
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
});

it.runIf(process.platform === 'linux' && findProgram('psql'))(
  'creates a database that knows letters beyond ASCII, whatever the cluster’s own encoding',
  async () => {
    const { hostname, port, password } = new URL(server.adminUrl);
    const env = { ...process.env, PGHOST: hostname, PGPORT: port, PGPASSWORD: password };
    execFileSync('sh', [script], { env: { ...env, DATABASE_PASSWORD: 'secret' }, stdio: 'pipe' });
    const [made] = await withConnection(
      server.adminUrl,
      (sql) => sql`select pg_encoding_to_char(encoding) as encoding, datcollate as collation,
        datctype as type, pg_get_userbyid(datdba) as owner from pg_database where datname = 'daylight'`,
    );
    expect(made).toEqual({ encoding: 'UTF8', collation: 'C.UTF-8', type: 'C.UTF-8', owner: 'daylight' });
    const [role] = await withConnection(
      server.adminUrl,
      (sql) => sql`select rolsuper from pg_roles where rolname = 'daylight'`,
    );
    expect(role).toEqual({ rolsuper: false });
  },
);
