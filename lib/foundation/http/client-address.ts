import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import { env } from '@/lib/foundation/env';
import type { Client, RequestScope } from '@/lib/foundation/request-scope';
import { cookieNames } from './cookies';

/**
 * Adds the address of a request's connection to its `X-Forwarded-For`, as a proxy would. Next's own server fills that
 * header in only when the client has not sent one, and its handlers do not see the socket, so without this a client could
 * name itself.
 */
export function addPeerAddress({ headers, socket }: IncomingMessage): void {
  const given = headers['x-forwarded-for'];
  const peer = socket.remoteAddress ?? '';
  headers['x-forwarded-for'] = given === undefined ? peer : `${given}, ${peer}`;
}

/**
 * One client for each subscriber's network: a home is given a whole /64 of IPv6 (RFC 6177), so counting its
 * single addresses would count nothing.
 */
function network(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').toLowerCase().split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const groups = address.includes('::')
    ? [...left, ...Array<string>(Math.max(8 - left.length - right.length, 0)).fill('0'), ...right]
    : left;
  const prefix = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${prefix.join(':')}::/64`;
}

/**
 * Returns the /48 network around the /64 of an IPv6 client, as {@link clientAddress} gives it: the most that a
 * single site is assigned (RFC 6177), so a stranger may own all of its 65,536 clients. Undefined for IPv4.
 */
export function siteNetwork(address: string): string | undefined {
  return address.includes(':') ? `${address.split(':').slice(0, 3).join(':')}::/48` : undefined;
}

/** Returns the address among the hops of `X-Forwarded-For`, or on Vercel in the platform's header. */
function addressFrom(read: (name: string) => string): string {
  if (env().VERCEL) return network(read('x-vercel-forwarded-for').split(',')[0]?.trim() ?? '');
  const hops = read('x-forwarded-for')
    .split(',')
    .map((hop) => hop.trim());
  let address = '';
  for (const hop of hops.reverse().slice(0, env().TRUSTED_PROXIES + 1)) {
    // A proxy that writes something else than an address is itself the last that is known.
    if (isIP(hop) === 0) break;
    address = hop;
  }
  return network(address);
}

/**
 * The address that a request comes from. Of `X-Forwarded-For` only so many entries count, from the right, as
 * there are proxies of ours (TRUSTED_PROXIES); what stands further left is the client's own word. On Vercel it is
 * the platform's header, which a client cannot set.
 */
export const clientAddress = (headers: Headers): string => addressFrom((name) => headers.get(name) ?? '');

/**
 * Returns the address that {@link clientAddress} gives for a request that Next hasn't seen, once its connection's address
 * is in its headers.
 */
export const clientAddressOf = ({ headers }: IncomingMessage): string =>
  addressFrom((name) => String(headers[name] ?? ''));

/** Returns through how many proxies a request says that it came, whether they're ours or not. Nobody's word is checked. */
export function countProxies(headers: Headers): number {
  // The last entry is the connection's address, which this app adds.
  return Math.max(0, (headers.get('x-forwarded-for') ?? '').split(',').length - 1);
}

/** 32 random bytes in base64url, as we set it. */
const DEVICE_TOKEN = /^[\w-]{43}$/;

function deviceCookie(headers: Headers): string | undefined {
  const prefix = `${cookieNames().device}=`;
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
  return value && DEVICE_TOKEN.test(value) ? value : undefined;
}

export function clientOf(headers: Headers): Client {
  return {
    address: clientAddress(headers),
    userAgent: headers.get('user-agent') ?? '',
    device: deviceCookie(headers),
  };
}

/** Returns the scope of a request that has just arrived. */
export function createRequestScope(requestId: string, headers: Headers): RequestScope {
  return { requestId, client: clientOf(headers), tasks: new Set() };
}
