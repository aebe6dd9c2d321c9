import { createHash } from 'node:crypto';
import { S3Error } from './errors';

/** The largest object of one request, and the largest part: 5 GiB, as in S3. */
export const MAX_PUT_BYTES = 5 * 1024 ** 3;

/** What a body must be. What the client didn't announce is undefined. */
type ExpectedPayload = {
  size?: number;
  minSize?: number;
  maxSize: number;
  /** The body's SHA-256 in hex, when the signature covers it. */
  sha256?: string | undefined;
  md5?: Buffer;
};

export type VerifiedPayload = {
  chunks: AsyncIterable<Buffer>;
  /** Returns the size in bytes and the MD5 in hex. Call it once the stream has ended. */
  result(): { size: number; md5: string };
};

/** Reads a Content-MD5 (RFC 1864). Throws InvalidDigest. */
export function parseMd5(encoded: string): Buffer {
  const md5 = Buffer.from(encoded, 'base64');
  if (md5.length !== 16 || md5.toString('base64') !== encoded) throw new S3Error('InvalidDigest');
  return md5;
}

/** Reads the length and digests a request announces. Throws MissingContentLength, EntityTooLarge or InvalidDigest. */
export function readExpectedPayload(
  headers: ReadonlyMap<string, string>,
  sha256: string | undefined,
): ExpectedPayload {
  const length = headers.get('content-length');
  if (length === undefined || !/^\d{1,15}$/.test(length)) throw new S3Error('MissingContentLength');
  const size = Number(length);
  if (size > MAX_PUT_BYTES) throw new S3Error('EntityTooLarge');
  const expected: ExpectedPayload = { size, maxSize: MAX_PUT_BYTES, sha256 };
  const encoded = headers.get('content-md5');
  return encoded === undefined ? expected : { ...expected, md5: parseMd5(encoded) };
}

/**
 * Passes a body through while measuring it. Throws as soon as it's longer than allowed, or at its end when it isn't
 * what was expected.
 */
export function verifyPayload(source: AsyncIterable<Buffer>, expected: ExpectedPayload): VerifiedPayload {
  let measured: { size: number; md5: string } | undefined;
  async function* pass() {
    const md5 = createHash('md5');
    const sha256 = expected.sha256 === undefined ? undefined : createHash('sha256');
    let size = 0;
    for await (const chunk of source) {
      size += chunk.length;
      if (size > expected.maxSize) throw new S3Error('EntityTooLarge');
      md5.update(chunk);
      sha256?.update(chunk);
      yield chunk;
    }
    if (sha256 && sha256.digest('hex') !== expected.sha256) throw new S3Error('XAmzContentSHA256Mismatch');
    if (expected.size !== undefined && size !== expected.size) throw new S3Error('IncompleteBody');
    if (size < (expected.minSize ?? 0)) throw new S3Error('EntityTooSmall');
    const digest = md5.digest();
    if (expected.md5 && !expected.md5.equals(digest)) throw new S3Error('BadDigest');
    measured = { size, md5: digest.toString('hex') };
  }
  return {
    chunks: pass(),
    result() {
      if (!measured) throw new Error('The body has not been read to its end');
      return measured;
    },
  };
}
