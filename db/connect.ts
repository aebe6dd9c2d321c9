import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import postgres from 'postgres';
import { type DatabaseAddress, readDatabaseAddress } from '@/lib/foundation/database-address';
import { withSafeMessage } from '@/lib/foundation/shared/safe-message';
import { AUTHORITY_UNREADABLE } from './connection-problems';

type Options = postgres.Options<Record<string, postgres.PostgresType>>;

/** Arrays, which postgres.js uses as they are: it would cut a single IPv6 address at its first colon. */
interface Transport {
  host?: string[];
  port?: number[];
  path?: string;
  ssl: Options['ssl'];
}

/** Returns the authorities that may sign the server's certificate. @throws Error with the code AUTHORITY_UNREADABLE */
function readAuthority(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const error = withSafeMessage(new Error('The file in sslrootcert can’t be read.', { cause }));
    throw Object.assign(error, { code: AUTHORITY_UNREADABLE });
  }
}

function tlsFor({ verification, authority }: DatabaseAddress, host: string): Options['ssl'] {
  if (verification === 'off') return false;
  if (verification === 'if offered') return 'prefer';
  if (verification === 'encrypted') return { rejectUnauthorized: false };
  const ca: ConnectionOptions = authority && authority !== 'system' ? { ca: readAuthority(authority) } : {};
  if (verification === 'certificate') return { ...ca, checkServerIdentity: () => undefined };
  return { ...ca, host };
}

/**
 * Returns what postgres.js needs to reach `address`, which {@link readDatabaseAddress} explains.
 * @throws Error if the address is wrong, or if the file in its `sslrootcert` can't be read
 */
export function connectionOptions(address: string): { url: string; options: Transport } {
  const read = readDatabaseAddress(address);
  const { url, hosts, isSocket } = read;
  const [{ name, port } = { name: 'localhost', port: 5432 }] = hosts;
  if (isSocket) return { url, options: { path: `${name}/.s.PGSQL.${port}`, ssl: false } };
  return {
    url,
    options: {
      host: hosts.map((host) => host.name),
      port: hosts.map((host) => host.port),
      ssl: tlsFor(read, name),
    },
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
