import { env } from '@/lib/env';

/** Returns the header that on https holds browsers to it for two years (RFC 6797). One build serves any address. */
export function transportSecurity(): Record<string, string> {
  if (!env().APP_URL.startsWith('https://')) return {};
  return { 'strict-transport-security': 'max-age=63072000; includeSubDomains' };
}

/** Sets {@link transportSecurity} on an answer. */
export function setTransportSecurity(headers: Headers): void {
  for (const [name, value] of Object.entries(transportSecurity())) headers.set(name, value);
}
