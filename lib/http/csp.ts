import { randomBytes } from 'node:crypto';
import { env } from '@/lib/env';
import { storageOrigin } from '@/lib/services/storage';

export function newNonce(): string {
  return randomBytes(16).toString('base64');
}

/** The policy of the service worker, which sends uploads when no page is open. */
export async function serviceWorkerPolicy(): Promise<string> {
  return `default-src 'none'; connect-src 'self' ${await storageOrigin()}; frame-ancestors 'none'`;
}

/** The policy of a page: scripts only with this nonce (CSP 3, strict-dynamic), and nobody frames us. */
export async function contentSecurityPolicy(nonce: string): Promise<string> {
  // Where the browser sends uploads to and plays videos from.
  const storage = await storageOrigin();
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
