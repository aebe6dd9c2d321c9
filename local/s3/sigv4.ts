import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { RequestTarget } from './target';

/** HMAC-SHA256 of a text. */
export function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'utf8').digest();
}

/** SHA-256 of a text, in hex. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** Compares two hex signatures in constant time. */
export function sameSignature(given: string, computed: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(given)) return false;
  return timingSafeEqual(Buffer.from(given, 'hex'), Buffer.from(computed, 'hex'));
}

/** Percent-encoding with RFC 3986's unreserved characters, as Signature Version 4 wants it. */
function encodeComponent(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** An object's path; its slashes stay. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeComponent).join('/');
}

/** The query as it is signed: encoded, in order, without the signature itself. */
export function canonicalQuery(query: RequestTarget['query']): string {
  return query
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [encodeComponent(name), encodeComponent(value)] as const)
    .sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** A header's values as they are signed. */
export function canonicalValue(values: string[] | undefined): string {
  // Header bytes arrive as Latin-1 and are signed as the UTF-8 that the client wrote.
  const text = (values ?? []).map((value) => value.trim().replace(/\s+/g, ' ')).join(',');
  return Buffer.from(text, 'latin1').toString('utf8');
}
