const ANY_ORIGIN = 'http://daylight.invalid';
/** The pages of the journal, which a test compares with the folders of app/(journal). */
const ALLOWED_PATHS =
  /^\/(?:(?:journals|search|settings(?:\/[a-z]+)?|surprise|upload)\/?)?$|^\/day\/[\d-]+$|^\/entry\/[^/]+(?:\/.*)?$/;

/** Returns whether a server or proxy that decodes a path before it resolves `..` would find another one. */
function hasDotSegments(pathname: string): boolean {
  try {
    return decodeURIComponent(pathname)
      .split(/[/\\]/)
      .some((part) => /^(\.|%2e){1,2}$/i.test(part));
  } catch {
    return true;
  }
}

/**
 * Returns where to go after signing in: `next` when it's a page of the journal, else '/'. Nothing under `/api`, where
 * a GET may change something. Parsed as a browser would do it, so that `//elsewhere`, `/\elsewhere`, a tab between the
 * slashes or `/.//elsewhere` don't lead away.
 */
export function safeNextPath(next: string | string[] | undefined): string {
  if (typeof next !== 'string' || !next.startsWith('/') || !URL.canParse(next, ANY_ORIGIN)) return '/';
  const url = new URL(next, ANY_ORIGIN);
  if (url.origin !== ANY_ORIGIN || !ALLOWED_PATHS.test(url.pathname) || hasDotSegments(url.pathname))
    return '/';
  return url.pathname + url.search + url.hash;
}

/** Returns the address of the login page that goes to `path` afterwards. */
export const loginPath = (path: string): string =>
  path === '/' ? '/login' : `/login?next=${encodeURIComponent(path)}`;

const STUDIO = '/upload';

/** How long a path may be, so that a cookie holds it. */
const MAX_LENGTH = 1000;

/**
 * Returns where a new account goes on: `next` when it's a page of the journal, else the studio, since its journal is
 * still empty.
 */
export function pathAfterVerifying(next: string | string[] | undefined): string {
  const path = safeNextPath(next);
  return path === '/' || path.length > MAX_LENGTH ? STUDIO : path;
}

/** Returns the recording on this device that the studio shows at `path`, which was made before signing up; null if none. */
export function keptRecordingId(path: string): string | null {
  const { pathname, searchParams } = new URL(path, ANY_ORIGIN);
  return pathname === STUDIO ? searchParams.get('keep') : null;
}

/** Returns what the button that goes there says. */
export function continueLabel(path: string): string {
  const { pathname } = new URL(path, ANY_ORIGIN);
  if (keptRecordingId(path)) return 'Continue to your recording';
  if (pathname === STUDIO) return 'Record your first entry';
  if (pathname.startsWith('/settings/plan')) return 'Continue to your plan';
  return pathname.startsWith('/settings') ? 'Continue to your settings' : 'Continue to your journal';
}
