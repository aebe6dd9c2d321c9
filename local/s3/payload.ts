import { createHash } from 'node:crypto';
import { CHECKSUM_ALGORITHMS, type ChecksumAlgorithm, createDigest, isChecksumAlgorithm } from './checksums';
import { decodeChunked } from './chunked';
import { S3Error } from './errors';
import type { PayloadRule } from './signature';

/** The largest object of one request, and the largest part: 5 GiB, as in S3. */
export const MAX_PUT_BYTES = 5 * 1024 ** 3;

export type Checksum = { algorithm: ChecksumAlgorithm; value: string; type: 'FULL_OBJECT' | 'COMPOSITE' };

/** What a body must turn out to be; undefined means that the client did not say. */
export type PayloadExpectation = {
  size?: number;
  minSize?: number;
  maxSize: number;
  md5?: Buffer;
  checksums: Map<ChecksumAlgorithm, string | undefined>;
};

export type PayloadSummary = { size: number; md5: string; checksum?: Checksum };

/** The bytes of a body as the client meant them, each rule of the signature checked as they pass. */
export async function* decodePayload(
  source: AsyncIterable<Buffer>,
  rule: PayloadRule,
  trailers: Map<string, string>,
): AsyncGenerator<Buffer> {
  if (rule.kind === 'chunked') {
    yield* decodeChunked(source, rule, trailers);
    return;
  }
  const hash = rule.kind === 'hash' ? createHash('sha256') : undefined;
  for await (const chunk of source) {
    hash?.update(chunk);
    yield chunk;
  }
  if (rule.kind === 'hash' && hash?.digest('hex') !== rule.sha256) {
    throw new S3Error('XAmzContentSHA256Mismatch');
  }
}

/** Reads the length, MD5 and checksums that a PUT announces. Sizes are of the decoded body. */
export function parseExpectation(
  headers: ReadonlyMap<string, string>,
  rule: PayloadRule,
): PayloadExpectation {
  const length = headers.get(rule.kind === 'chunked' ? 'x-amz-decoded-content-length' : 'content-length');
  if (length === undefined || !/^\d{1,15}$/.test(length)) throw new S3Error('MissingContentLength');
  const size = Number(length);
  if (size > MAX_PUT_BYTES) throw tooLarge(size, MAX_PUT_BYTES);
  const expectation = { size, maxSize: MAX_PUT_BYTES, ...parseDigests(headers) };
  const trailer = headers.get('x-amz-trailer')?.toLowerCase().trim();
  if (trailer !== undefined) {
    const algorithm = trailer.replace('x-amz-checksum-', '');
    if (!trailer.startsWith('x-amz-checksum-') || !isChecksumAlgorithm(algorithm)) {
      throw new S3Error('InvalidRequest', 'The value specified in the x-amz-trailer header is not supported');
    }
    expectation.checksums.set(algorithm, undefined);
  }
  return expectation;
}

/** Reads Content-MD5 and x-amz-checksum-* from headers or form fields. */
export function parseDigests(
  headers: ReadonlyMap<string, string>,
): Pick<PayloadExpectation, 'md5' | 'checksums'> {
  const checksums: PayloadExpectation['checksums'] = new Map();
  for (const algorithm of CHECKSUM_ALGORITHMS) {
    const value = headers.get(`x-amz-checksum-${algorithm}`);
    if (value !== undefined) checksums.set(algorithm, value);
  }
  const encoded = headers.get('content-md5');
  if (encoded === undefined) return { checksums };
  const md5 = Buffer.from(encoded, 'base64');
  if (md5.length !== 16 || md5.toString('base64') !== encoded) throw new S3Error('InvalidDigest');
  return { checksums, md5 };
}

/**
 * Passes a body through while measuring it, and throws when it is not what was expected: at the first
 * byte too many, or at its end. The result is there once the stream has ended.
 */
export function verifyPayload(
  source: AsyncIterable<Buffer>,
  expected: PayloadExpectation,
  trailers: ReadonlyMap<string, string>,
): { chunks: AsyncIterable<Buffer>; result(): PayloadSummary } {
  let measured: PayloadSummary | undefined;
  async function* pass() {
    const md5 = createDigest('md5');
    const digests = [...expected.checksums].map(([algorithm, value]) => ({
      algorithm,
      value,
      digest: createDigest(algorithm),
    }));
    let size = 0;
    for await (const chunk of source) {
      size += chunk.length;
      if (size > expected.maxSize) throw tooLarge(size, expected.maxSize);
      md5.update(chunk);
      for (const { digest } of digests) digest.update(chunk);
      yield chunk;
    }
    if (expected.size !== undefined && size !== expected.size) throw new S3Error('IncompleteBody');
    if (size < (expected.minSize ?? 0)) {
      throw new S3Error('EntityTooSmall', undefined, {
        ProposedSize: String(size),
        MinSizeAllowed: String(expected.minSize),
      });
    }
    const md5Bytes = md5.digest();
    if (expected.md5 && !expected.md5.equals(md5Bytes)) throw new S3Error('BadDigest');
    measured = { size, md5: md5Bytes.toString('hex') };
    for (const { algorithm, value, digest } of digests) {
      const computed = digest.digest().toString('base64');
      if ((value ?? trailers.get(`x-amz-checksum-${algorithm}`)) !== computed) throw new S3Error('BadDigest');
      measured.checksum = { algorithm, value: computed, type: 'FULL_OBJECT' };
    }
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
