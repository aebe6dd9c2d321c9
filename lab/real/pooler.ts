import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { freePorts, startProcess } from './process';

/** As many as the app's pool has, and some for connections that tests open by themselves. */
const POOL_SIZE = 12;

export interface Pooler {
  /** Returns the address of a database through the pooler. */
  through(databaseUrl: string): string;
  stop(): Promise<void>;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
}

/** Returns the program that tests put in front of Postgres, or null: `npm run lab -- real` names it. */
export const testedPooler = (): string | null => process.env.TEST_PGBOUNCER || null;

/**
 * Starts PgBouncer in transaction mode in front of every database of a Postgres server.
 * @param urls addresses of databases of that server, one for each role
 * @param at its port; a free one by default
 */
export async function startPooler(program: string, urls: readonly string[], at?: number): Promise<Pooler> {
  const port = at ?? (await freePorts('port')).port;
  const roles = urls.map((url) => new URL(url));
  const [server] = roles;
  const dir = mkdtempSync(join(tmpdir(), 'daylight-pooler-'));
  // As root it only runs as another user.
  chmodSync(dir, 0o755);
  const users = join(dir, 'users.txt');
  writeFileSync(users, roles.map(({ username, password }) => `"${username}" "${password}"\n`).join(''));
  const settings = join(dir, 'pgbouncer.ini');
  const prepared = process.env.DATABASE_PREPARED_STATEMENTS === '1' ? 200 : 0;
  writeFileSync(
    settings,
    `[databases]
* = host=${server?.hostname} port=${server?.port}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
max_client_conn = 1000
default_pool_size = ${POOL_SIZE}
max_prepared_statements = ${prepared}
`,
  );
  const through = (databaseUrl: string) => {
    const url = new URL(databaseUrl);
    url.port = String(port);
    return url.href;
  };
  const isReady = async () => {
    const sql = postgres(through(server?.href ?? ''), { max: 1, onnotice: () => undefined });
    await sql`select 1`.finally(() => sql.end());
    return true;
  };
  const log = join(dir, 'pgbouncer.log');
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const running = await startProcess({ command: program, args: [...user, settings], cwd: dir, log, isReady });
  const end = (how: () => Promise<void>) => async () => {
    await how();
    rmSync(dir, { recursive: true, force: true });
  };
  return { through, stop: end(running.stop), kill: end(running.kill) };
}
