import {
  COUNTS_COOKIE,
  COUNTS_MAX_AGE,
  formatCounts,
  type Kind,
  readCounts,
} from '@/components/device/eviction-detection';

/** The Cookie Store API (WHATWG), which every browser with Background Synchronization has. */
const jar: CookieStore | undefined = globalThis.cookieStore;

/** Counts one less of some kinds in the cookie that detects eviction, before they're deleted. */
export async function decrementCounts(kinds: readonly Kind[]): Promise<void> {
  const cookie = await jar?.get(COUNTS_COOKIE);
  if (!jar || !cookie) return;
  const { stored, evicted } = readCounts(`${COUNTS_COOKIE}=${cookie.value}`);
  const left = { ...stored };
  for (const kind of kinds) left[kind] = Math.max(0, left[kind] - 1);
  const expires = Date.now() + COUNTS_MAX_AGE * 1000;
  const value = formatCounts({ stored: left, evicted });
  await jar.set({ name: COUNTS_COOKIE, value, expires, sameSite: 'lax' });
}
