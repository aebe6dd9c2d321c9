import { env } from '@/lib/foundation/env';

/**
 * Returns the header that on https holds browsers to it for two years (RFC 6797). One build serves any address. The
 * names below the site's may be another service's, which may have no https, so they're only included on request.
 */
export function transportSecurity(): Record<string, string> {
  const { APP_URL, HSTS_INCLUDE_SUBDOMAINS } = env();
  if (!APP_URL.startsWith('https://')) return {};
  const subdomains = HSTS_INCLUDE_SUBDOMAINS ? '; includeSubDomains' : '';
  return { 'strict-transport-security': `max-age=63072000${subdomains}` };
}

/** Sets {@link transportSecurity} on an answer. */
export function setTransportSecurity(headers: Headers): void {
  for (const [name, value] of Object.entries(transportSecurity())) headers.set(name, value);
}
