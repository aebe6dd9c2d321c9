import type { Bucket } from './bucket';
import { S3Error } from './errors';
import { type ExpectedPayload, type MeasuredPayload, readExpectedPayload, verifyPayload } from './payload';
import type { RequestTarget } from './target';
import type { XmlNode } from './xml';

/** An authenticated request, as an operation sees it. */
export type RequestContext = {
  target: RequestTarget;
  bucket: Bucket;
  query: ReadonlyMap<string, string>;
  /** Under lower-case names. */
  headers: ReadonlyMap<string, string>;
  /** The body's SHA-256 in hex; undefined when the client signed without it. */
  sha256: string | undefined;
  /** The body's bytes. May be called once. */
  body(): AsyncIterable<Buffer>;
};

export type S3Response = {
  status: number;
  headers?: Record<string, string>;
  xml?: XmlNode;
  /** Bytes of an object; `release` is called once, whether or not they were read. */
  bytes?: { chunks: AsyncIterable<Buffer>; release: () => void };
};

/** Returns the body with the checks of what the request announced, before any of it is read. */
export function verifiedBody(call: RequestContext): {
  chunks: AsyncIterable<Buffer>;
  result(): MeasuredPayload;
} {
  const expected: ExpectedPayload = readExpectedPayload(call.headers, call.sha256);
  return verifyPayload(call.body(), expected);
}

/** Returns the current time, or that of a record, in whole seconds, because Last-Modified can't say more. */
export function wholeSecond(date = new Date()): string {
  return new Date(Math.floor(date.getTime() / 1000) * 1000).toISOString();
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
    throw new S3Error('InvalidArgument', `${name} must be an integer between ${min} and ${max}`, {
      ArgumentName: name,
      ArgumentValue: text,
    });
  }
  return value;
}

const MAX_PAGE = 1000;

/** Reads how many items a page may have: at most 1,000, as in S3. */
export function pageSize(call: RequestContext, name: string): number {
  return Math.min(numberParameter(call, name, { fallback: MAX_PAGE, min: 0, max: 2 ** 31 - 1 }), MAX_PAGE);
}
