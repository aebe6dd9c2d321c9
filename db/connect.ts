import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import postgres from 'postgres';
import { isLocalHost } from '@/lib/local-host';

const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type Mode = (typeof MODES)[number];

type Options = postgres.Options<Record<string, postgres.PostgresType>>;

/** Arrays, which postgres.js uses as they are: it would cut a single IPv6 address at its first colon. */
interface Transport {
  host?: string[];
  port?: number[];
  path?: string;
  ssl: Options['ssl'];
}

interface Host {
  name: string;
  port: number;
}

/**
 * Returns the hosts between the credentials and the path. A Unix socket's folder is a host too, as it is for libpq.
 */
function hostsOf(base: string, socket: string | null): Host[] {
  const authority = base.replace(/^\w+:\/\//, '').split('/')[0] ?? '';
  const given = decodeURIComponent(authority.slice(authority.lastIndexOf('@') + 1)).split(',');
  return given.map((text) => {
    const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(text) ?? [];
    return { name: socket ?? (name.replace(/^\[(.*)\]$/, '$1') || 'localhost'), port: Number(port ?? 5432) };
  });
}

/**
 * TLS that encrypts without verifying anything, that verifies the certificate, or that also verifies the host name.
 */
function tlsFor(mode: Mode, host: string, authority: string | null): ConnectionOptions {
  const ca = authority && authority !== 'system' ? { ca: readFileSync(authority) } : {};
  if (mode === 'verify-full' || authority === 'system') return { ...ca, host };
  if (mode === 'verify-ca' || authority) return { ...ca, checkServerIdentity: () => undefined };
  return { rejectUnauthorized: false };
}

/**
 * Returns what postgres.js needs to reach `address`, interpreting `sslmode` and `sslrootcert` the way libpq does.
 * Without `sslmode`, a local host gets no TLS and every other host gets `require`. `allow` and `prefer` mean
 * `require` there, because an attacker on the network could otherwise refuse TLS and read everything.
 * @throws Error if `sslmode` isn't one of libpq's
 */
export function connectionOptions(address: string): { url: string; options: Transport } {
  const [base = '', search = ''] = address.split(/\?(.*)/s);
  const query = new URLSearchParams(search);
  const hosts = hostsOf(base, query.get('host'));
  const [{ name, port } = { name: 'localhost', port: 5432 }] = hosts;
  const isSocket = name.startsWith('/');
  const isLocal = isSocket || hosts.every((host) => isLocalHost(host.name));

  const flag = query.get('ssl');
  const asked = query.get('sslmode') ?? (flag === 'true' ? 'require' : flag);
  const authority = query.get('sslrootcert');
  const usual = isLocal && !authority ? 'disable' : 'require';
  const mode = MODES.find((known) => known === (asked ?? usual));
  if (!mode) throw new Error(`DATABASE_URL has sslmode "${asked}". It must be one of ${MODES.join(', ')}.`);

  // The rest goes to the server as settings, and the server rejects the ones that only libpq knows.
  for (const known of ['host', 'ssl', 'sslmode', 'sslrootcert', 'channel_binding']) query.delete(known);
  const url = query.size > 0 ? `${base}?${query}` : base;
  if (isSocket) return { url, options: { path: `${name}/.s.PGSQL.${port}`, ssl: false } };
  const isOptional = mode === 'allow' || mode === 'prefer';
  const ssl = mode === 'disable' ? false : isLocal && isOptional ? 'prefer' : tlsFor(mode, name, authority);
  return {
    url,
    options: { host: hosts.map((host) => host.name), port: hosts.map((host) => host.port), ssl },
  };
}

/**
 * Opens a pool of connections to `address`. Everything in this project connects to Postgres through it. Statements are
 * prepared only if `options` say so, because not every connection pooler knows prepared statements.
 */
export function openDatabase<Types extends Record<string, postgres.PostgresType> = Record<string, never>>(
  address: string,
  options: Options = {},
): postgres.Sql<Types> {
  const { url, options: transport } = connectionOptions(address);
  return postgres(url, {
    prepare: false,
    ...options,
    ...(transport as Options),
  }) as unknown as postgres.Sql<Types>;
}
