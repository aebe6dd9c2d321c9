import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PostgresServer, startPostgres } from '@/local/postgres/server';
import { addressAt as at, makeCertificate, startTlsPostgres, usesTls } from '@/test/tls-postgres';
import { connectionOptions, openDatabase } from './connect';
import { codeOf } from './errors';
import { migrate } from './migrate';
import { reconnectingPool } from './pool';

/** Reaches this machine like 127.0.0.1 does, but isn't recognized as local, so it stands in for a remote database. */
const ELSEWHERE = '127.1';

let folder: string;
let withTls: PostgresServer;
let withoutTls: PostgresServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'daylight-tls-'));
  [withTls, withoutTls] = await Promise.all([
    startTlsPostgres(join(folder, 'tls'), makeCertificate(folder, 'server')),
    startPostgres({ dataDir: join(folder, 'plain'), throwaway: true }),
  ]);
});
afterAll(async () => {
  await Promise.all([withTls?.stop(), withoutTls?.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

describe('a database elsewhere', () => {
  it.each(['sslmode=require', 'sslmode=no-verify', 'sslmode=prefer', 'sslmode=allow', 'ssl=true'])(
    'gets TLS with "%s"',
    async (query) => {
      expect(await usesTls(at(withTls, ELSEWHERE, query))).toBe(true);
      await expect(usesTls(at(withoutTls, ELSEWHERE, query))).rejects.toThrow();
    },
  );

  it('is verified unless the address says otherwise', async () => {
    await expect(usesTls(at(withTls, ELSEWHERE))).rejects.toThrow('self-signed certificate');
    const trusted = `sslrootcert=${join(folder, 'server.crt')}`;
    await expect(usesTls(at(withTls, ELSEWHERE, trusted))).rejects.toThrow(/altname/);
    await expect(usesTls(at(withoutTls, ELSEWHERE))).rejects.toThrow();
  });

  it('gets no TLS only when the address says so', async () => {
    expect(await usesTls(at(withTls, ELSEWHERE, 'sslmode=disable'))).toBe(false);
    expect(await usesTls(at(withoutTls, ELSEWHERE, 'sslmode=disable'))).toBe(false);
  });

  it("gets TLS from the app's pool and from migrations too", async () => {
    await migrate(at(withTls, ELSEWHERE, 'sslmode=no-verify'));
    await expect(migrate(at(withoutTls, ELSEWHERE, 'sslmode=no-verify'))).rejects.toThrow();
    await expect(migrate(at(withTls, ELSEWHERE))).rejects.toThrow('self-signed certificate');
    const pool = reconnectingPool((options) => {
      const sql = openDatabase(at(withTls, ELSEWHERE, 'sslmode=no-verify'), { ...options, max: 2 });
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
    const other = `sslrootcert=${makeCertificate(folder, 'other').cert}`;
    expect(await usesTls(at(withTls, 'localhost', `sslmode=verify-full&${trusted}`))).toBe(true);
    for (const mode of ['verify-ca', 'require'])
      expect(await usesTls(at(withTls, ELSEWHERE, `sslmode=${mode}&${trusted}`)), mode).toBe(true);
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

it('says so if the file with the authorities can’t be read', () => {
  const open = () => connectionOptions('postgres://u@db.example/d?sslrootcert=/nowhere/ca.pem');
  let thrown: unknown;
  try {
    open();
  } catch (error) {
    thrown = error;
  }
  expect(codeOf(thrown)).toBe('SSLROOTCERT_UNREADABLE');
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
      ssl: { host: 'localhost' },
    });
  });

  it('keep the settings for the server and lose what only libpq knows', () => {
    const { url } = connectionOptions(
      'postgres://u@db/d?sslmode=require&channel_binding=require&application_name=journal',
    );
    expect(url).toBe('postgres://u@db/d?application_name=journal');
  });
});
