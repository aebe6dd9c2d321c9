import { cookies } from 'next/headers';
import { decode, encode } from 'next-auth/jwt';
import { env } from '@/lib/env';
import type { SessionTokens } from '@/lib/sessions/service';

export const secure = () => env().APP_URL.startsWith('https://');

/** The names of our cookies; prefixed on https, where the browser then holds them to it (RFC 6265bis, 4.1.3). */
export function cookieNames() {
  return secure()
    ? {
        access: '__Secure-next-auth.session-token',
        refresh: '__Host-daylight.refresh',
        registered: '__Host-daylight.registered',
        device: '__Host-daylight.device',
      }
    : {
        access: 'next-auth.session-token',
        refresh: 'daylight.refresh',
        registered: 'daylight.registered',
        device: 'daylight.device',
      };
}

/** How every cookie of ours is set: closed to scripts and other sites. */
export const attributes = (maxAge: number) =>
  ({ httpOnly: true, secure: secure(), sameSite: 'lax', path: '/', maxAge }) as const;

/** As long as browsers keep any cookie (RFC 6265bis, 5.5). */
const DEVICE_SECONDS = 400 * 24 * 3600;

const secondsUntil = (date: Date) => Math.max(0, Math.ceil((date.getTime() - Date.now()) / 1000));

/** The session's cookies, as name, value and attributes, for whoever sets them (a route, or middleware). */
export function sessionCookies(tokens: SessionTokens) {
  const names = cookieNames();
  return [
    { name: names.access, value: tokens.access, ...attributes(secondsUntil(tokens.accessExpiresAt)) },
    { name: names.refresh, value: tokens.refresh, ...attributes(secondsUntil(tokens.refreshExpiresAt)) },
    ...(tokens.device ? [{ name: names.device, value: tokens.device, ...attributes(DEVICE_SECONDS) }] : []),
  ];
}

export async function setSessionCookies(tokens: SessionTokens): Promise<void> {
  const jar = await cookies();
  for (const cookie of sessionCookies(tokens)) jar.set(cookie);
}

export async function clearSessionCookies(): Promise<void> {
  const jar = await cookies();
  const names = cookieNames();
  for (const name of [names.access, names.refresh]) jar.set({ name, value: '', ...attributes(0) });
}

export async function readSessionCookies(): Promise<{ access?: string; refresh?: string }> {
  const jar = await cookies();
  const names = cookieNames();
  const access = jar.get(names.access)?.value;
  const refresh = jar.get(names.refresh)?.value;
  return { ...(access ? { access } : {}), ...(refresh ? { refresh } : {}) };
}

const REGISTERED = 'daylight registered';
const THREE_DAYS = 72 * 3600;

/** Remembers, sealed, which address this browser has just registered, so that it can ask for the mail again. */
export async function rememberRegistered(email: string): Promise<void> {
  const value = await encode({
    token: { email, askedAt: Date.now() },
    secret: env().AUTH_SECRET,
    salt: REGISTERED,
    maxAge: THREE_DAYS,
  });
  (await cookies()).set({ name: cookieNames().registered, value, ...attributes(THREE_DAYS) });
}

export async function readRegistered(): Promise<{ email: string; askedAt: number } | null> {
  const token = (await cookies()).get(cookieNames().registered)?.value;
  if (!token) return null;
  try {
    const claims = await decode({ token, secret: env().AUTH_SECRET, salt: REGISTERED });
    return typeof claims?.email === 'string' && typeof claims.askedAt === 'number'
      ? { email: claims.email, askedAt: claims.askedAt }
      : null;
  } catch {
    return null;
  }
}
