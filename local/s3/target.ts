import { S3Error } from './errors';

/** What a request line names. It's decoded once, so routing and signature checks see the same values. */
export type RequestTarget = {
  method: string;
  /** Decoded path, starting with `/`. */
  path: string;
  /** Decoded pairs in the order they were sent. */
  query: readonly (readonly [name: string, value: string])[];
  /** Empty for a request to the service itself. */
  bucket: string;
  /** Undefined for a request to the bucket itself. */
  key: string | undefined;
};

/**
 * Reads a path-style request line. The path is never normalized: `a/../b` and `a//b` are different keys.
 * Throws InvalidURI unless it's percent-encoded UTF-8.
 */
export function parseTarget(method: string, url: string): RequestTarget {
  const [rawPath = '', ...rest] = url.split('?');
  const path = decode(rawPath);
  if (!path.startsWith('/')) throw new S3Error('InvalidURI');
  const rawQuery = rest.join('?');
  const query = rawQuery
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...value] = pair.replaceAll('+', '%20').split('=');
      return [decode(name), decode(value.join('='))] as const;
    });
  const slash = path.indexOf('/', 1);
  const bucket = slash === -1 ? path.slice(1) : path.slice(1, slash);
  const key = slash === -1 ? '' : path.slice(slash + 1);
  return { method, path, query, bucket, key: key === '' ? undefined : key };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error('InvalidURI');
  }
}
