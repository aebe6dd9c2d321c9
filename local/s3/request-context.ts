import type { Bucket } from './bucket';
import { S3Error } from './errors';
import type { PayloadRule } from './signature';
import type { RequestTarget } from './target';
import type { XmlNode } from './xml';

/** An authenticated request, as an operation sees it. */
export type RequestContext = {
  target: RequestTarget;
  bucket: Bucket;
  region: string;
  query: ReadonlyMap<string, string>;
  /** Request headers under lower-case names, with those that a presigned address carries in its query. */
  headers: ReadonlyMap<string, string>;
  payload: PayloadRule;
  /** The body, decoded and checked while it is read; trailers come with its end. May be called once. */
  body(trailers?: Map<string, string>): AsyncIterable<Buffer>;
};

export type S3Response = {
  status: number;
  headers?: Record<string, string>;
  xml?: XmlNode;
  /** Bytes of an object; `release` is called once, whether or not they were read. */
  bytes?: { chunks: AsyncIterable<Buffer>; release: () => void };
};

export function requireKey(call: RequestContext): string {
  if (call.target.key === undefined) throw new S3Error('InvalidRequest', 'A key is required.');
  return call.target.key;
}

/** A whole number from the query. Throws InvalidArgument outside `min` to `max`. */
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
