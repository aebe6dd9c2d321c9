import type { IncomingMessage } from 'node:http';
import { env } from '@/lib/foundation/env';

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;
/** What health checks call this machine. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Returns whether a host, with or without a port, is the site's. Proxies lead from other ports to this one. */
function isOurs(host: string): boolean {
  const address = `http://${host}`;
  if (!URL.canParse(address)) return false;
  const { hostname, username, password } = new URL(address);
  if (username || password) return false;
  return hostname === new URL(env().APP_URL).hostname || LOOPBACK.includes(hostname);
}

/**
 * Makes the target of a request an address on this site, if it names a host: what it names counts, and not the header
 * `Host` (RFC 9112, 3.2.2). Next and our own rules expect a path.
 * @returns false if the host isn't ours, which takes 421 Misdirected Request (RFC 9110, 7.4)
 */
export function takeAbsoluteForm(request: IncomingMessage): boolean {
  const { url = '' } = request;
  if (url.startsWith('/')) return true;
  const [, host, rest = ''] = ABSOLUTE.exec(url) ?? [];
  if (host === undefined) return true;
  if (!isOurs(host)) return false;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  request.headers.host = host;
  return true;
}
