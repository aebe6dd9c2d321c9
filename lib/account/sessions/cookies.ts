import { cookies } from 'next/headers';
import { cookieAttributes, cookieNames } from '@/lib/foundation/http/cookies';
import type { SessionTokens } from './tokens';

/** The longest that browsers keep any cookie (RFC 6265bis, 5.5). */
const DEVICE_SECONDS = 400 * 24 * 3600;

const secondsUntil = (date: Date) => Math.max(0, Math.ceil((date.getTime() - Date.now()) / 1000));

/** Returns the session's cookies as name, value, and attributes, for a route or middleware to set. */
export function sessionCookies({
  access,
  accessExpiresAt,
  refresh,
  refreshExpiresAt,
  device,
}: SessionTokens) {
  const names = cookieNames();
  return [
    { name: names.access, value: access, ...cookieAttributes(secondsUntil(accessExpiresAt)) },
    { name: names.refresh, value: refresh, ...cookieAttributes(secondsUntil(refreshExpiresAt)) },
    ...(device ? [{ name: names.device, value: device, ...cookieAttributes(DEVICE_SECONDS) }] : []),
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
}

export async function readSessionCookies() {
  const jar = await cookies();
  const names = cookieNames();
  return { access: jar.get(names.access)?.value, refresh: jar.get(names.refresh)?.value };
}
