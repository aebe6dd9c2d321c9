import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Returns whether a site's address can only mean this machine; false when it's missing or isn't an address. */
export function isLocalSite(address: string | undefined): boolean {
  return URL.canParse(address ?? '') && isLocalHost(new URL(address ?? '').hostname);
}

/** Whether a site may have this address: over plain http anyone on the network reads cookies and what people write. */
export function isSafeSiteAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && isLocalSite(address));
}

export const SAFE_SITE_ADDRESS =
  'must start with https:// unless it names this machine (localhost, 127.0.0.1 or [::1])';

/**
 * Returns whether a host name or IP address can only mean this machine: `localhost` and the names below it (RFC 6761),
 * 127.0.0.0/8 and ::1. Nothing is looked up, so a name that happens to resolve to this machine isn't local.
 * @param host - without a port; an IPv6 address may have brackets
 */
export function isLocalHost(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  const version = isIP(name);
  if (version !== 0) return loopback.check(name, version === 4 ? 'ipv4' : 'ipv6');
  return name === 'localhost' || name.endsWith('.localhost');
}
