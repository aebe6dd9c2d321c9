import { readdirSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join, sep } from 'node:path';

/** Returns a request's path, without its query. */
export const pathOf = (request: IncomingMessage): string => (request.url ?? '').split('?')[0] ?? '';

/** What the app makes itself, which `next.config.ts` gives no other address. */
const MADE_FILES = [
  '/apple-icon.png',
  '/favicon.ico',
  '/icon.svg',
  '/manifest.webmanifest',
  '/robots.txt',
  '/sitemap.xml',
  '/sw.js',
];

/** Returns the paths below `public/`, which a platform that serves them by itself may not have put there. */
function publicPaths(): string[] {
  try {
    const folder = join(/*turbopackIgnore: true*/ process.cwd(), 'public');
    return readdirSync(folder, { recursive: true }).map((path) => `/${String(path).replaceAll(sep, '/')}`);
  } catch {
    return [];
  }
}

let known: ReadonlySet<string> | undefined;

/** Returns whether a path is a file's: a script, an icon, or a model. Files cost little, and a page needs many. */
export function isFile(path: string): boolean {
  if (path.startsWith('/_next/static/')) return true;
  if (!hasExtension(path)) return false;
  known ??= new Set([...MADE_FILES, ...publicPaths()]);
  return known.has(path);
}

/** Returns whether a path looks like a file's, whether or not there is one. */
export const hasExtension = (path: string): boolean => path.slice(path.lastIndexOf('/')).includes('.');

/** Where Next keeps what it knows of a request: on the request itself, for its own layers. */
const NEXT_META = Symbol.for('NextInternalRequestMeta');

interface NextMeta {
  match?: { definition?: { pathname?: string } } | null;
}

/** Returns the pattern of the route that answers; undefined if none does, as for an address that doesn't exist. */
export function routeOf(request: IncomingMessage): string | undefined {
  const meta = (request as IncomingMessage & { [NEXT_META]?: NextMeta })[NEXT_META];
  return meta?.match?.definition?.pathname;
}
