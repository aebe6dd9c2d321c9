import { execFileSync } from 'node:child_process';
import { chownSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '@/db/connect';
import { type PostgresServer, startPostgres } from '@/local/postgres/server';
import { waitUntil } from '@/local/up/processes';

export interface Certificate {
  cert: string;
  key: string;
}

const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });

/** Creates a self-signed certificate for `localhost`, which may also sign others. */
export function makeCertificate(folder: string, name: string): Certificate {
  const [cert, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2'];
  openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, '-keyout', key, '-out', cert);
  return { cert, key };
}

/** Creates a certificate that another one signs. @param days how long it's valid; it has expired if that's negative */
export function signCertificate(folder: string, name: string, by: Certificate, days: number): Certificate {
  const [cert, key, request] = ['crt', 'key', 'csr'].map((kind) => join(folder, `${name}.${kind}`)) as [
    string,
    string,
    string,
  ];
  openssl('req', '-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${name}`, '-keyout', key, '-out', request);
  const signed = ['-CA', by.cert, '-CAkey', by.key, '-CAcreateserial', '-days', String(days)];
  openssl('x509', '-req', '-in', request, ...signed, '-out', cert);
  return { cert, key };
}

/** Returns the server's address with another host and other settings. */
export function addressAt(server: PostgresServer, host: string, query = ''): string {
  return `${server.url.replace('127.0.0.1', host)}${query && `?${query}`}`;
}

/** Returns whether a connection to this URL is encrypted, according to the server. */
export async function usesTls(address: string): Promise<boolean> {
  const sql = openDatabase(address, { max: 1, connect_timeout: 10 });
  try {
    const [row] = await sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
    return row?.ssl;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Starts a throwaway Postgres server that offers TLS with this certificate. */
export async function startTlsPostgres(dataDir: string, { cert, key }: Certificate): Promise<PostgresServer> {
  const server = await startPostgres({ dataDir, throwaway: true });
  const data = join(dataDir, 'data');
  const { uid, gid } = statSync(data);
  for (const [file, name] of [
    [cert, 'server.crt'],
    [key, 'server.key'],
  ] as const) {
    execFileSync('install', ['-m', '600', file, join(data, name)]);
    chownSync(join(data, name), uid, gid);
  }
  const admin = openDatabase(server.adminUrl, { max: 1 });
  await admin`alter system set ssl = on`;
  await admin`select pg_reload_conf()`;
  await admin.end();
  // Processes forked after the reload have it, so wait for the first of them.
  const isOn = () => usesTls(addressAt(server, 'localhost', 'sslmode=require')).catch(() => false);
  await waitUntil(isOn, 30_000);
  return server;
}
