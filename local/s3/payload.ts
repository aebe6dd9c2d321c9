import { createHash } from 'node:crypto';
import { S3Error } from './errors';

/** The largest object of one request, and the largest part: 5 GiB, as in S3. */
export const MAX_PUT_BYTES = 5 * 1024 ** 3;

/** What a body must turn out to be; undefined means that the client didn't say. */
export type ExpectedPayload = {
  size?: number;
  minSize?: number;
  maxSize: number;
  /** The body's SHA-256 in hex, when the signature covers it. */
  sha256?: string | undefined;
  md5?: Buffer;
  /** Base64, as in `x-amz-checksum-crc32`. */
  crc32?: string | undefined;
};

/** `md5` is in hex. */
export type MeasuredPayload = { size: number; md5: string };

/** Reads the length and digests that a request announces. Throws MissingContentLength, EntityTooLarge, InvalidDigest. */
export function readExpectedPayload(
  headers: ReadonlyMap<string, string>,
  sha256: string | undefined,
): ExpectedPayload {
  const length = headers.get('content-length');
  if (length === undefined || !/^\d{1,15}$/.test(length)) throw new S3Error('MissingContentLength');
  const size = Number(length);
  if (size > MAX_PUT_BYTES) throw tooLarge(size, MAX_PUT_BYTES);
  const expected: ExpectedPayload = {
    size,
    maxSize: MAX_PUT_BYTES,
    sha256,
    crc32: headers.get('x-amz-checksum-crc32'),
  };
  const encoded = headers.get('content-md5');
  if (encoded === undefined) return expected;
  const md5 = Buffer.from(encoded, 'base64');
  if (md5.length !== 16 || md5.toString('base64') !== encoded) throw new S3Error('InvalidDigest');
  return { ...expected, md5 };
}

/**
 * Passes a body through while measuring it, and throws when it isn't what was expected: at the first byte too many,
 * or at its end. `result` may be called once the stream has ended.
 */
export function verifyPayload(
  source: AsyncIterable<Buffer>,
  expected: ExpectedPayload,
): { chunks: AsyncIterable<Buffer>; result(): MeasuredPayload } {
  let measured: MeasuredPayload | undefined;
  async function* pass() {
    const md5 = createHash('md5');
    const sha256 = expected.sha256 === undefined ? undefined : createHash('sha256');
    let crc = 0;
    let size = 0;
    for await (const chunk of source) {
      size += chunk.length;
      if (size > expected.maxSize) throw tooLarge(size, expected.maxSize);
      md5.update(chunk);
      sha256?.update(chunk);
      if (expected.crc32 !== undefined) crc = crc32(chunk, crc);
      yield chunk;
    }
    if (sha256 && sha256.digest('hex') !== expected.sha256) throw new S3Error('XAmzContentSHA256Mismatch');
    if (expected.size !== undefined && size !== expected.size) throw new S3Error('IncompleteBody');
    if (size < (expected.minSize ?? 0)) {
      throw new S3Error('EntityTooSmall', undefined, {
        ProposedSize: String(size),
        MinSizeAllowed: String(expected.minSize),
      });
    }
    const digest = md5.digest();
    if (expected.md5 && !expected.md5.equals(digest)) throw new S3Error('BadDigest');
    if (expected.crc32 !== undefined && expected.crc32 !== encodeCrc(crc)) throw new S3Error('BadDigest');
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

function tooLarge(size: number, limit: number): S3Error {
  return new S3Error('EntityTooLarge', undefined, {
    ProposedSize: String(size),
    MaxSizeAllowed: String(limit),
  });
}

// Node has crc32 only since 20.15; the bodies that carry one are short lists of keys.
const CRC_TABLE = Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) {
    remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1;
  }
  return remainder;
});

function crc32(chunk: Buffer, previous: number): number {
  let crc = ~previous;
  for (const byte of chunk) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ byte) & 0xff] as number);
  return ~crc;
}

function encodeCrc(crc: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(crc);
  return bytes.toString('base64');
}
