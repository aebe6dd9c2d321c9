import { createHmac, timingSafeEqual } from 'node:crypto';

export const SIGNATURE_HEADER = 'x-inngest-signature';
/** How far a signature's time may be from ours, in milliseconds: the SDK's own limit. */
const TOLERANCE_MS = 5 * 60_000;

const withoutPrefix = (key: string) => key.replace(/^signkey-\w+-/, '');

const digest = (body: Uint8Array, seconds: string, key: string) =>
  createHmac('sha256', withoutPrefix(key)).update(body).update(seconds).digest();

function parseSignature(header: string | null): { seconds: string; digest: Buffer } | undefined {
  const parts = new URLSearchParams(header ?? '');
  const seconds = parts.get('t') ?? '';
  const signature = parts.get('s') ?? '';
  const isFresh = /^\d{1,12}$/.test(seconds) && Math.abs(Date.now() - Number(seconds) * 1000) <= TOLERANCE_MS;
  if (!isFresh || !/^[0-9a-f]{64}$/.test(signature)) return undefined;
  return { seconds, digest: Buffer.from(signature, 'hex') };
}

/** Returns whether a signature could be right for some body: it is well formed and not too old. */
export function hasPlausibleSignature(header: string | null): boolean {
  return parseSignature(header) !== undefined;
}

/**
 * Returns whether a body carries Inngest's signature, without parsing it: a body that isn't signed may be made to
 * take a hundred times its size once parsed. Inngest sends the canonical JSON (RFC 8785) that it signs.
 * @param keys any of which may have signed
 */
export function isSigned(body: Uint8Array, header: string | null, keys: string[]): boolean {
  const given = parseSignature(header);
  if (!given) return false;
  return keys.some((key) => timingSafeEqual(digest(body, given.seconds, key), given.digest));
}

/** Returns the signature header for a body. */
export function sign(body: Uint8Array, key: string): string {
  const seconds = Math.round(Date.now() / 1000).toString();
  return `t=${seconds}&s=${digest(body, seconds, key).toString('hex')}`;
}
