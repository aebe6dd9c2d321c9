import { randomBytes } from 'node:crypto';
import { env } from '@/lib/env';

export function newNonce(): string {
  return randomBytes(16).toString('base64');
}

/** Where the browser sends uploads to and plays videos from. */
function storageOrigin(): string {
  const { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_FORCE_PATH_STYLE } = env();
  if (!S3_ENDPOINT) return `https://${S3_BUCKET}.s3.${S3_REGION}.amazonaws.com`;
  const endpoint = new URL(S3_ENDPOINT);
  if (!S3_FORCE_PATH_STYLE) endpoint.hostname = `${S3_BUCKET}.${endpoint.hostname}`;
  return endpoint.origin;
}

/** The policy of a page: scripts only with this nonce (CSP 3, strict-dynamic), and nobody frames us. */
export function contentSecurityPolicy(nonce: string): string {
  const storage = storageOrigin();
  // React's development build rebuilds stacks by eval.
  const development = env().NODE_ENV === 'development' ? " 'unsafe-eval'" : '';
  const socket = env().NODE_ENV === 'development' ? ' ws:' : '';
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development}`,
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
