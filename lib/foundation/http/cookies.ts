import { env } from '@/lib/foundation/env';
import { HOST_PREFIX, SESSION_COOKIES } from './cookie-names';

export const isSecureSite = () => env().APP_URL.startsWith('https://');

/** Returns a cookie's name, with {@link HOST_PREFIX} on https. */
export const hostCookieName = (name: string) => `${isSecureSite() ? HOST_PREFIX : ''}${name}`;

/** Returns the names of the cookies that make up a session, a registration and a known device. */
export function cookieNames() {
  return {
    access: hostCookieName(SESSION_COOKIES.access),
    refresh: hostCookieName(SESSION_COOKIES.refresh),
    registered: hostCookieName('daylight.registered'),
    device: hostCookieName('daylight.device'),
  };
}

/** Returns the attributes of every cookie that we set: hidden from scripts and not sent by other sites. */
export const cookieAttributes = (maxAge: number) =>
  ({ httpOnly: true, secure: isSecureSite(), sameSite: 'lax', path: '/', maxAge }) as const;
