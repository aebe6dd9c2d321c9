import { createHmac } from 'node:crypto';
import { env } from '@/lib/foundation/env';

/** What middleware tells the page that it lets through. */
interface PageHeaders {
  /** Of the scripts, in base64. */
  nonce: string;
  /** With its query. */
  path: string;
  /** Whether the session couldn't be read, so that the visitor may be signed in. */
  isSessionUnknown: boolean;
}

/**
 * Returns what shows that headers come from middleware. A server of ours removes a client's on arrival, but a platform such
 * as Vercel doesn't, and the page for an address that isn't found may be shown without middleware.
 */
function pageKey(): string {
  const [newest] = env().AUTH_SECRET;
  return createHmac('sha256', newest).update('page headers').digest('base64url');
}

/** Sets the headers that {@link readPageHeaders} reads. */
export function setPageHeaders(headers: Headers, { nonce, path, isSessionUnknown }: PageHeaders): void {
  headers.set('x-page-key', pageKey());
  headers.set('x-nonce', nonce);
  headers.set('x-path', path);
  headers.delete('x-session-unknown');
  if (isSessionUnknown) headers.set('x-session-unknown', '1');
}

/** Returns what middleware has said about a page, or null if the headers are the client's own. */
export function readPageHeaders(headers: Pick<Headers, 'get'>): PageHeaders | null {
  if (headers.get('x-page-key') !== pageKey()) return null;
  return {
    nonce: headers.get('x-nonce') ?? '',
    path: headers.get('x-path') ?? '/',
    isSessionUnknown: headers.get('x-session-unknown') !== null,
  };
}
