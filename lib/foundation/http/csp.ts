import { randomBytes } from 'node:crypto';
import { bucketUrl } from '@/lib/foundation/bucket-url';
import { env } from '@/lib/foundation/env';

export function newNonce(): string {
  return randomBytes(16).toString('base64');
}

/**
 * Returns the sources that a policy allows for storage: the bucket's host, or where the bucket is a path, only what's in
 * it, since others may rent the same host's other buckets. A path without a slash at its end allows only itself, which is
 * where forms go, and one with a slash what's below it (CSP 3, 6.7.2.12).
 */
function storageSources(): string {
  const { origin, pathname } = bucketUrl();
  if (pathname === '/') return origin;
  // These end a source and a rule.
  const bucket = origin + pathname.replace(/[,;]/g, encodeURIComponent);
  return `${bucket} ${bucket}/`;
}

/** The policy of the service worker, which sends uploads when no page is open. */
export function serviceWorkerPolicy(): string {
  return `default-src 'none'; connect-src 'self' ${storageSources()}; frame-ancestors 'none'`;
}

/** The policy of a page: scripts only with this nonce (CSP 3, strict-dynamic), and nobody frames us. */
export function contentSecurityPolicy(nonce: string): string {
  // Where the browser sends uploads to and plays videos from.
  const storage = storageSources();
  // React's development build rebuilds stacks by eval.
  const development = env().NODE_ENV === 'development' ? " 'unsafe-eval'" : '';
  const socket = env().NODE_ENV === 'development' ? ' ws:' : '';
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development}`,
    // Otherwise 'strict-dynamic' counts, which lets scripts start workers from anywhere in one browser and nowhere in another.
    "worker-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' blob: data: ${storage}`,
    `media-src 'self' blob: ${storage}`,
    `connect-src 'self' ${storage}${socket}`,
    "font-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
