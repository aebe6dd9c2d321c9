const ANY_ORIGIN = 'http://daylight.invalid';

/**
 * Where to go after signing in: `next` when it is a path of this site, else '/'. Parsed as a browser would do it,
 * so that `//elsewhere`, `/\elsewhere`, a tab between the slashes or `/.//elsewhere` do not lead away.
 */
export function nextPath(next: string | string[] | undefined): string {
  if (typeof next !== 'string' || !next.startsWith('/') || !URL.canParse(next, ANY_ORIGIN)) return '/';
  const url = new URL(next, ANY_ORIGIN);
  if (url.origin !== ANY_ORIGIN || url.pathname.startsWith('//')) return '/';
  if (/^\/(login|logout|signup)\b/.test(url.pathname)) return '/';
  return url.pathname + url.search + url.hash;
}
