import { env } from '@/lib/env';

export const isSecureSite = () => env().APP_URL.startsWith('https://');

/**
 * Returns a cookie's name with the prefix `__Host-` on https: the browser then takes it only from this very host, over
 * https and for every path, so no other subdomain can plant it (RFC 6265bis, 4.1.3.2).
 */
export const hostCookieName = (name: string) => `${isSecureSite() ? '__Host-' : ''}${name}`;

/** Returns the names of the cookies that make up a session, a registration and a known device. */
export function cookieNames() {
  return {
    access: hostCookieName('next-auth.session-token'),
    refresh: hostCookieName('daylight.refresh'),
    registered: hostCookieName('daylight.registered'),
    device: hostCookieName('daylight.device'),
  };
}

/** Returns the attributes of every cookie that we set: hidden from scripts and not sent by other sites. */
export const cookieAttributes = (maxAge: number) =>
  ({ httpOnly: true, secure: isSecureSite(), sameSite: 'lax', path: '/', maxAge }) as const;
