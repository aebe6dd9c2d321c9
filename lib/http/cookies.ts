import { env } from '@/lib/env';

export const secure = () => env().APP_URL.startsWith('https://');

/**
 * Returns a cookie's name with the prefix `__Host-` on https: the browser then takes it only from this very host, over
 * https and for every path, so no other subdomain can plant it (RFC 6265bis, 4.1.3.2).
 */
export const hostBound = (name: string) => `${secure() ? '__Host-' : ''}${name}`;

/** Returns the names of the cookies that make up a session, a registration and a known device. */
export function cookieNames() {
  return {
    access: hostBound('next-auth.session-token'),
    refresh: hostBound('daylight.refresh'),
    registered: hostBound('daylight.registered'),
    device: hostBound('daylight.device'),
  };
}

/** Returns the attributes of every cookie that we set: hidden from scripts and not sent by other sites. */
export const attributes = (maxAge: number) =>
  ({ httpOnly: true, secure: secure(), sameSite: 'lax', path: '/', maxAge }) as const;
