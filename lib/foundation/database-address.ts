import { isLocalHost } from './local-host';
import { withSafeMessage } from './shared/safe-message';

/** libpq's modes, and one more for encryption that's deliberately not verified. */
const MODES = ['disable', 'allow', 'prefer', 'no-verify', 'require', 'verify-ca', 'verify-full'] as const;
type Mode = (typeof MODES)[number];

/** What a connection proves before it sends the password. */
type Verification =
  | 'off'
  /** Encrypted if the server can: only on this machine. */
  | 'if offered'
  | 'encrypted'
  /** Who signed the certificate. */
  | 'certificate'
  /** The certificate, and that it's for this host. */
  | 'certificate and host';

interface DatabaseHost {
  name: string;
  port: number;
}

export interface DatabaseAddress {
  /** The address with settings for the server only. */
  url: string;
  hosts: DatabaseHost[];
  /** Whether all hosts can only mean this machine. A folder of Unix sockets can. */
  isLocal: boolean;
  isSocket: boolean;
  mode: Mode;
  verification: Verification;
  /** The file with the authorities that may sign, `system`, or null for those that Node knows. */
  authority: string | null;
}

/** Settings that only a client knows. The server would reject them. */
const CLIENT_SETTINGS = ['host', 'ssl', 'sslmode', 'sslrootcert', 'channel_binding'];

/** Returns the address and its settings. In a URL that isn't http, the first question mark ends a password, too. */
function split(address: string): [base: string, search: string] {
  const [base = '', search = ''] = address.split(/\?(.*)/s);
  return [base, search];
}

/** Returns whether the address without its settings is one. Several hosts are no URL, so only the first counts. */
function isReadable(base: string): boolean {
  const [, scheme = '', authority = '', path = ''] = /^(\w+:\/\/)([^/]*)(.*)$/s.exec(base) ?? [];
  const start = authority.lastIndexOf('@') + 1;
  const [host = ''] = authority.slice(start).split(',');
  return URL.canParse(`${scheme}${authority.slice(0, start)}${host}${path}`);
}

/** libpq takes `ssl=true` for `sslmode=require`, as JDBC's addresses have it. */
const modeIn = (query: URLSearchParams): string | null =>
  query.get('sslmode') ?? (query.get('ssl') === 'true' ? 'require' : query.get('ssl'));

/**
 * Returns what's wrong with an address, as the rest of a sentence about DATABASE_URL without its period, or null. A mode that isn't understood must not turn into a weaker one. Quotes nothing: a password may have ended up there.
 */
export function findAddressProblem(address: string): string | null {
  if (!/^postgres(ql)?:\/\//.test(address)) return 'must start with postgres://';
  const [base, search] = split(address);
  if (!isReadable(base))
    return 'can’t be read. In a password, write %40 for @, %2F for /, %3A for a colon, %3F for ?, and %23 for #';
  if (search.includes('?'))
    return 'has more than one question mark. Write & between settings, and %3F for a question mark in a password';
  const query = new URLSearchParams(search);
  for (const name of CLIENT_SETTINGS) {
    const values = query.getAll(name);
    if (values.length > 1) return `has ${name} more than once. Keep one`;
    if (values[0] === '') return `has ${name} without a value. Add one, or remove ${name}`;
  }
  const mode = modeIn(query);
  if (mode === null || MODES.some((known) => known === mode)) return null;
  const name = query.has('sslmode') ? 'sslmode' : 'ssl';
  return `has a value of ${name} that doesn’t exist. It must be one of ${MODES.join(', ')}`;
}

/** Returns the hosts between the credentials and the path. A Unix socket's folder is a host too, as it is for libpq. */
function hostsOf(base: string, socket: string | null): DatabaseHost[] {
  const authority = base.replace(/^\w+:\/\//, '').split('/')[0] ?? '';
  const given = decodeURIComponent(authority.slice(authority.lastIndexOf('@') + 1)).split(',');
  return given.map((text) => {
    const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(text) ?? [];
    return { name: socket ?? (name.replace(/^\[(.*)\]$/, '$1') || 'localhost'), port: Number(port ?? 5432) };
  });
}

function verificationOf(mode: Mode, isLocal: boolean, authority: string | null): Verification {
  if (mode === 'disable') return 'off';
  if (isLocal && (mode === 'allow' || mode === 'prefer')) return 'if offered';
  if (mode === 'no-verify') return 'encrypted';
  if (mode === 'verify-full' || authority === 'system') return 'certificate and host';
  return mode === 'verify-ca' || authority ? 'certificate' : 'encrypted';
}

/**
 * Reads a Postgres address, with `sslmode` and `sslrootcert` as libpq understands them: `require` encrypts without
 * verifying anything, unless `sslrootcert` names authorities. Without `sslmode`, a local host gets no TLS, and the
 * certificate and the name of every other host are verified. `allow` and `prefer` mean `require` there, because an
 * attacker on the network could otherwise refuse TLS and read everything.
 * @throws Error that names the problem and quotes nothing
 */
export function readDatabaseAddress(address: string): DatabaseAddress {
  const problem = findAddressProblem(address);
  if (problem) throw withSafeMessage(new Error(`DATABASE_URL ${problem}.`));
  const [base, search] = split(address);
  const query = new URLSearchParams(search);
  const hosts = hostsOf(base, query.get('host'));
  const isSocket = hosts[0]?.name.startsWith('/') === true;
  const isLocal = isSocket || hosts.every(({ name }) => isLocalHost(name));
  const authority = query.get('sslrootcert');
  const usual = isLocal ? (authority ? 'verify-ca' : 'disable') : 'verify-full';
  const mode = (modeIn(query) as Mode | null) ?? usual;
  for (const known of CLIENT_SETTINGS) query.delete(known);
  const url = query.size > 0 ? `${base}?${query}` : base;
  const verification = isSocket ? 'off' : verificationOf(mode, isLocal, authority);
  return { url, hosts, isLocal, isSocket, mode, verification, authority };
}

const DESCRIPTIONS: Record<Verification, string> = {
  off: 'Not encrypted',
  'if offered': 'Encrypted if the server offers it, not verified (this machine).',
  encrypted: 'Encrypted, not verified',
  certificate: 'TLS, certificate verified, host name not.',
  'certificate and host': 'TLS, certificate and host name verified.',
};

/** Returns how a connection to this address is protected, in one line. */
export function describeVerification({ verification, isLocal, mode }: DatabaseAddress): string {
  const text = DESCRIPTIONS[verification];
  if (text.endsWith('.')) return text;
  return `${text} (${isLocal ? 'this machine' : `sslmode=${mode}`}).`;
}

/** Returns a warning where the address asks for encryption and may expect that it verifies the server; else null. */
export function findWeakMode({ verification, isLocal, mode }: DatabaseAddress): string | null {
  if (verification !== 'encrypted' || isLocal || mode === 'no-verify') return null;
  return `sslmode=${mode} doesn’t verify the database server, so someone on the network could pose as it. Use sslmode=verify-full in DATABASE_URL, or sslmode=no-verify to accept that.`;
}
