import { S3Error } from './errors';

/** What a request line names, decoded once: everything that decides or signs works on this. */
export type RequestTarget = {
  method: string;
  /** Decoded path, beginning with `/`. */
  path: string;
  /** Decoded pairs in the order they were sent. */
  query: readonly (readonly [name: string, value: string])[];
  /** Empty for the service itself. */
  bucket: string;
  /** Undefined when the bucket itself is meant. */
  key: string | undefined;
};

const MAX_KEY_BYTES = 1024;

/**
 * Reads a path-style request line. The path is never normalised: `a/../b` and `a//b` are keys of their own.
 * Throws InvalidURI for what is not percent-encoded UTF-8 and KeyTooLongError above 1,024 bytes.
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
  checkKeyLength(key);
  return { method, path, query, bucket, key: key === '' ? undefined : key };
}

export function checkKeyLength(key: string): void {
  const size = Buffer.byteLength(key);
  if (size > MAX_KEY_BYTES) {
    throw new S3Error('KeyTooLongError', undefined, {
      Size: String(size),
      MaxSizeAllowed: String(MAX_KEY_BYTES),
    });
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error('InvalidURI');
  }
}
