import type { Bucket } from './bucket';
import { S3Error } from './errors';
import { readExpectedPayload, type VerifiedPayload, verifyPayload } from './payload';
import type { RequestTarget } from './target';
import type { XmlNode } from './xml';

/** An authenticated request, as an operation sees it. */
export type RequestContext = {
  target: RequestTarget;
  bucket: Bucket;
  query: ReadonlyMap<string, string>;
  /** By lowercase name. */
  headers: ReadonlyMap<string, string>;
  /** Returns the ETag, without quotes, of bytes with this MD5 in hex. */
  etagOf(md5: string): string;
  /** The body's SHA-256 in hex; undefined when the client signed without it. */
  sha256: string | undefined;
  /** Returns the body's bytes. Can be called once. */
  body(): AsyncIterable<Buffer>;
};

export type S3Response = {
  status: number;
  headers?: Record<string, string>;
  xml?: XmlNode;
  /** An object's bytes. `release` is called once, whether or not they were read. */
  bytes?: { chunks: AsyncIterable<Buffer>; release: () => void };
};

/** Returns the body, which throws while it's read if it isn't what the request's headers announced. */
export function verifiedBody(call: RequestContext): VerifiedPayload {
  return verifyPayload(call.body(), readExpectedPayload(call.headers, call.sha256));
}

/** Returns the current time in whole seconds, the precision of Last-Modified. */
export function wholeSecond(): string {
  return new Date(Math.floor(Date.now() / 1000) * 1000).toISOString();
}

export function requireKey(call: RequestContext): string {
  if (call.target.key === undefined) throw new S3Error('InvalidRequest', 'A key is required.');
  return call.target.key;
}

/** Reads a whole number from the query. Throws InvalidArgument outside `min` to `max`. */
export function numberParameter(
  call: RequestContext,
  name: string,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  const text = call.query.get(name);
  if (text === undefined) return fallback;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) {
    throw new S3Error('InvalidArgument', `${name} must be an integer between ${min} and ${max}`);
  }
  return value;
}

const MAX_PAGE = 1000;

/** Reads the page size. The maximum is 1,000, as in S3. */
export function pageSize(call: RequestContext, name: string): number {
  return Math.min(numberParameter(call, name, { fallback: MAX_PAGE, min: 0, max: 2 ** 31 - 1 }), MAX_PAGE);
}
