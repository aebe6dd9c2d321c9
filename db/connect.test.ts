import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PostgresServer, startPostgres } from '@/local/postgres/server';
import { waitUntil } from '@/local/up/processes';
import { connectionOptions, openDatabase } from './connect';
import { migrate } from './migrate';
import { reconnectingPool } from './pool';

/** Reaches this machine like 127.0.0.1 does, but isn't recognized as local, so it stands in for a remote database. */
const ELSEWHERE = '127.1';

let folder: string;
let withTls: PostgresServer;
let withoutTls: PostgresServer;

/** Creates a self-signed certificate for `localhost`. */
function makeCertificate(name: string): { cert: string; key: string } {
  const [cert, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2'];
  const files = ['-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...files], {
    stdio: 'pipe',
  });
  return { cert, key };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'daylight-tls-'));
  const options = (name: string) => ({ dataDir: join(folder, name), throwaway: true });
  [withTls, withoutTls] = await Promise.all([startPostgres(options('tls')), startPostgres(options('plain'))]);
  const { cert, key } = makeCertificate('server');
  const data = join(folder, 'tls', 'data');
  const { uid, gid } = statSync(data);
  for (const [file, name] of [
    [cert, 'server.crt'],
    [key, 'server.key'],
  ] as const) {
    execFileSync('install', ['-m', '600', file, join(data, name)]);
    chownSync(join(data, name), uid, gid);
  }
  const admin = openDatabase(withTls.adminUrl, { max: 1 });
  await admin`alter system set ssl = on`;
  await admin`select pg_reload_conf()`;
  await admin.end();
  // Processes forked after the reload have it, so wait for the first of them.
  await waitUntil(() => usesTls(at(withTls, 'localhost', 'sslmode=require')).catch(() => false), 30_000);
});
afterAll(async () => {
  await Promise.all([withTls?.stop(), withoutTls?.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

function at(server: PostgresServer, host: string, query = ''): string {
  return `${server.url.replace('127.0.0.1', host)}${query && `?${query}`}`;
}

/** Returns whether a connection to this URL is encrypted, according to the server. */
async function usesTls(address: string): Promise<boolean> {
  const sql = openDatabase(address, { max: 1, connect_timeout: 10 });
  try {
    const [row] = await sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
    return row?.ssl;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

describe('a database elsewhere', () => {
  it.each(['', 'sslmode=require', 'sslmode=prefer', 'sslmode=allow', 'ssl=true'])(
    'gets TLS with "%s"',
    async (query) => {
      expect(await usesTls(at(withTls, ELSEWHERE, query))).toBe(true);
      await expect(usesTls(at(withoutTls, ELSEWHERE, query))).rejects.toThrow();
    },
  );

  it('gets no TLS only when the address says so', async () => {
    expect(await usesTls(at(withTls, ELSEWHERE, 'sslmode=disable'))).toBe(false);
    expect(await usesTls(at(withoutTls, ELSEWHERE, 'sslmode=disable'))).toBe(false);
  });

  it("gets TLS from the app's pool and from migrations too", async () => {
    await migrate(at(withTls, ELSEWHERE));
    await expect(migrate(at(withoutTls, ELSEWHERE))).rejects.toThrow();
    const pool = reconnectingPool((options) => {
      const sql = openDatabase(at(withTls, ELSEWHERE), { ...options, max: 2 });
      return { pool: sql, end: () => sql.end() };
    });
    const rows = await pool()`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
    expect(rows[0]?.ssl).toBe(true);
    await pool().end();
  });
});

describe('a database on this machine', () => {
  it('gets TLS only when the address asks for it', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      expect(await usesTls(at(withTls, host))).toBe(false);
      expect(await usesTls(at(withoutTls, host))).toBe(false);
      expect(await usesTls(at(withTls, host, 'sslmode=require'))).toBe(true);
      expect(await usesTls(at(withTls, host, 'sslmode=prefer'))).toBe(true);
      expect(await usesTls(at(withoutTls, host, 'sslmode=prefer'))).toBe(false);
      await expect(usesTls(at(withoutTls, host, 'sslmode=require'))).rejects.toThrow();
    }
  });
});

describe('certificates', () => {
  it('are checked when the address asks for it', async () => {
    const trusted = `sslrootcert=${join(folder, 'server.crt')}`;
    const other = `sslrootcert=${makeCertificate('other').cert}`;
    expect(await usesTls(at(withTls, 'localhost', `sslmode=verify-full&${trusted}`))).toBe(true);
    expect(await usesTls(at(withTls, ELSEWHERE, `sslmode=verify-ca&${trusted}`))).toBe(true);
    const refused = [
      at(withTls, ELSEWHERE, `sslmode=verify-full&${trusted}`),
      at(withTls, '127.0.0.1', `sslmode=verify-full&${trusted}`),
      at(withTls, 'localhost', 'sslmode=verify-full'),
      at(withTls, 'localhost', 'sslmode=verify-ca'),
      at(withTls, 'localhost', `sslmode=verify-full&${other}`),
      at(withTls, 'localhost', `sslmode=require&${other}`),
      at(withTls, 'localhost', 'sslrootcert=system'),
    ];
    for (const address of refused)
      await expect(usesTls(address), address).rejects.toThrow(/certificate|altname/i);
  });
});

describe('addresses', () => {
  it('are read as libpq reads them', () => {
    const read = (address: string) => connectionOptions(address).options;
    expect(read('postgres://u:p%40x@[::1]/d')).toEqual({ host: ['::1'], port: [5432], ssl: false });
    expect(read('postgres://u@localhost:6543/d')).toEqual({ host: ['localhost'], port: [6543], ssl: false });
    expect(read('postgresql:///d?host=/run/postgresql')).toEqual({
      path: '/run/postgresql/.s.PGSQL.5432',
      ssl: false,
    });
    expect(read('postgres://u@%2Frun%2Fpg/d')).toMatchObject({ path: '/run/pg/.s.PGSQL.5432' });
    // One remote host is enough.
    expect(read('postgres://u@localhost:1,db.example:2/d')).toEqual({
      host: ['localhost', 'db.example'],
      port: [1, 2],
      ssl: { rejectUnauthorized: false },
    });
    for (const host of ['localhost.evil.example', '127.0.0.1.evil.example', 'db', '10.0.0.1', '[fd00::1]']) {
      expect(read(`postgres://u@${host}/d`).ssl, host).toEqual({ rejectUnauthorized: false });
    }
  });

  it('keep the settings for the server and lose what only libpq knows', () => {
    const { url } = connectionOptions(
      'postgres://u@db/d?sslmode=require&channel_binding=require&application_name=journal',
    );
    expect(url).toBe('postgres://u@db/d?application_name=journal');
  });

  it('with a mode that does not exist are refused', () => {
    expect(() => connectionOptions('postgres://u@db/d?sslmode=off')).toThrow(/sslmode "off"/);
  });
});
