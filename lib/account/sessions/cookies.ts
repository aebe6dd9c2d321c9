import { cookies } from 'next/headers';
import { cookieAttributes, cookieNames, isSecureSite } from '@/lib/foundation/http/cookies';
import type { SessionTokens } from './tokens';

/**
 * The access token's cookie name before it was bound to the host; cleared so that it doesn't linger in the browser.
 */
const OLD_ACCESS = '__Secure-next-auth.session-token';

const clearedOnHttps = () =>
  isSecureSite() ? [{ name: OLD_ACCESS, value: '', ...cookieAttributes(0) }] : [];

/** The longest that browsers keep any cookie (RFC 6265bis, 5.5). */
const DEVICE_SECONDS = 400 * 24 * 3600;

const secondsUntil = (date: Date) => Math.max(0, Math.ceil((date.getTime() - Date.now()) / 1000));

/** Returns the session's cookies as name, value, and attributes, for a route or middleware to set. */
export function sessionCookies(tokens: SessionTokens) {
  const names = cookieNames();
  return [
    { name: names.access, value: tokens.access, ...cookieAttributes(secondsUntil(tokens.accessExpiresAt)) },
    {
      name: names.refresh,
      value: tokens.refresh,
      ...cookieAttributes(secondsUntil(tokens.refreshExpiresAt)),
    },
    ...(tokens.device
      ? [{ name: names.device, value: tokens.device, ...cookieAttributes(DEVICE_SECONDS) }]
      : []),
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
  for (const name of [names.access, names.refresh]) jar.set({ name, value: '', ...cookieAttributes(0) });
  for (const cookie of clearedOnHttps()) jar.set(cookie);
}

export async function readSessionCookies(): Promise<{ access?: string; refresh?: string }> {
  const jar = await cookies();
  const names = cookieNames();
  const access = jar.get(names.access)?.value;
  const refresh = jar.get(names.refresh)?.value;
  return { ...(access ? { access } : {}), ...(refresh ? { refresh } : {}) };
}
