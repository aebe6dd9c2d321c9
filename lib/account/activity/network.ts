import { siteNetwork } from '@/lib/foundation/http/client-address';

/**
 * The part of a client's address that is kept: enough to tell a home from a foreign country, too little to tell one
 * household from its neighbours.
 * @param address an IPv4 address, or an IPv6 network as `clientAddress` gives it
 */
export function truncateAddress(address: string): string {
  const site = siteNetwork(address);
  if (site) return site;
  const [a, b, c] = address.split('.');
  return c === undefined ? '' : `${a}.${b}.${c}.0/24`;
}
