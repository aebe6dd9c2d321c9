import { env } from '@/lib/env';

/** On https, holds browsers to it for two years (RFC 6797). Decided at run time, as one build serves any address. */
export function setTransportSecurity(headers: Headers): void {
  if (!env().APP_URL.startsWith('https://')) return;
  headers.set('strict-transport-security', 'max-age=63072000; includeSubDomains');
}
