import {
  formatMarks,
  KEPT_COOKIE,
  KEPT_MAX_AGE,
  type KeptKind,
  readMarks,
} from '@/components/device/kept-marker';

/** The Cookie Store API (WHATWG), which every browser with Background Synchronization has. */
const jar: CookieStore | undefined = globalThis.cookieStore;

/** Counts one less of some kinds in the cookie that says what this device keeps, before they're deleted. */
export async function countLess(kinds: readonly KeptKind[]): Promise<void> {
  const cookie = await jar?.get(KEPT_COOKIE);
  if (!jar || !cookie) return;
  const { kept, lost } = readMarks(`${KEPT_COOKIE}=${cookie.value}`);
  const less = { ...kept };
  for (const kind of kinds) less[kind] = Math.max(0, less[kind] - 1);
  const expires = Date.now() + KEPT_MAX_AGE * 1000;
  await jar.set({ name: KEPT_COOKIE, value: formatMarks({ kept: less, lost }), expires, sameSite: 'lax' });
}
