import { cookies } from 'next/headers';
import { decrypt, encrypt } from '@/lib/encryption';
import { env } from '@/lib/env';
import type { SessionTokens } from '@/lib/sessions/service';

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

/** Fifteen minutes to sign in at a provider, in seconds; next-auth's own limit. */
const PROVIDER_SECONDS = 900;

/** Returns next-auth's cookies. It would use the weaker prefix `__Secure-` for most of them. */
export function nextAuthCookies() {
  const options = { httpOnly: true, secure: secure(), sameSite: 'lax', path: '/' } as const;
  const brief = { ...options, maxAge: PROVIDER_SECONDS };
  return {
    sessionToken: { name: cookieNames().access, options },
    callbackUrl: { name: hostBound('next-auth.callback-url'), options },
    csrfToken: { name: hostBound('next-auth.csrf-token'), options },
    pkceCodeVerifier: { name: hostBound('next-auth.pkce.code_verifier'), options: brief },
    state: { name: hostBound('next-auth.state'), options: brief },
    nonce: { name: hostBound('next-auth.nonce'), options: brief },
  };
}

/** How every cookie of ours is set: closed to scripts and other sites. */
export const attributes = (maxAge: number) =>
  ({ httpOnly: true, secure: secure(), sameSite: 'lax', path: '/', maxAge }) as const;

/** The access part's name before it was bound to the host; cleared so that it doesn't linger in the browser. */
const OLD_ACCESS = '__Secure-next-auth.session-token';

const clearedOnHttps = () => (secure() ? [{ name: OLD_ACCESS, value: '', ...attributes(0) }] : []);

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
    ...clearedOnHttps(),
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
  for (const cookie of clearedOnHttps()) jar.set(cookie);
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
  const value = await encrypt({ email, askedAt: Date.now() }, { purpose: REGISTERED, seconds: THREE_DAYS });
  (await cookies()).set({ name: cookieNames().registered, value, ...attributes(THREE_DAYS) });
}

export async function readRegistered(): Promise<{ email: string; askedAt: number } | null> {
  const token = (await cookies()).get(cookieNames().registered)?.value;
  const { email, askedAt } = (await decrypt(token, { purpose: REGISTERED }))?.claims ?? {};
  return typeof email === 'string' && typeof askedAt === 'number' ? { email, askedAt } : null;
}
