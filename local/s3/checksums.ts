import { createHash } from 'node:crypto';
import * as zlib from 'node:zlib';

/** The algorithms of `x-amz-checksum-*`, by the name that follows. */
export const CHECKSUM_ALGORITHMS = ['crc32', 'crc32c', 'crc64nvme', 'sha1', 'sha256'] as const;
export type ChecksumAlgorithm = (typeof CHECKSUM_ALGORITHMS)[number];

/** A running digest. `digest` may be called once, at the end. */
export type Digest = { update(chunk: Buffer): void; digest(): Buffer };

export function createDigest(algorithm: ChecksumAlgorithm | 'md5'): Digest {
  switch (algorithm) {
    case 'crc32':
      return crc32Digest();
    case 'crc32c':
      return crcDigest(4, crc32cTable);
    case 'crc64nvme':
      return crcDigest(8, crc64nvmeTable);
    default:
      return createHash(algorithm);
  }
}

export function isChecksumAlgorithm(text: string): text is ChecksumAlgorithm {
  return (CHECKSUM_ALGORITHMS as readonly string[]).includes(text);
}

/** Remainders of a reflected CRC of 32 or 64 bits, as two 32-bit halves so that no BigInt is in the loop. */
type CrcTable = { high: Uint32Array; low: Uint32Array };

const crc32Table = lazy(() => crcTable(0xedb88320n));
const crc32cTable = lazy(() => crcTable(0x82f63b78n));
const crc64nvmeTable = lazy(() => crcTable(0x9a6c9329ac4bc9b5n));

function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function crcTable(reflectedPolynomial: bigint): CrcTable {
  const high = new Uint32Array(256);
  const low = new Uint32Array(256);
  for (let byte = 0; byte < 256; byte++) {
    let remainder = BigInt(byte);
    for (let bit = 0; bit < 8; bit++) {
      remainder = remainder & 1n ? (remainder >> 1n) ^ reflectedPolynomial : remainder >> 1n;
    }
    high[byte] = Number(remainder >> 32n);
    low[byte] = Number(remainder & 0xffffffffn);
  }
  return { high, low };
}

function crc32Digest(): Digest {
  // Node has it natively since 20.15; the table serves older ones.
  if (typeof zlib.crc32 !== 'function') return crcDigest(4, crc32Table);
  let crc = 0;
  return {
    update: (chunk) => {
      crc = zlib.crc32(chunk, crc);
    },
    digest: () => bigEndian(0, crc).subarray(4),
  };
}

function crcDigest(bytes: 4 | 8, table: () => CrcTable): Digest {
  const { high, low } = table();
  let upper = bytes === 8 ? -1 : 0;
  let lower = -1;
  return {
    update: (chunk) => {
      for (let i = 0; i < chunk.length; i++) {
        const index = (lower ^ (chunk[i] as number)) & 0xff;
        lower = ((lower >>> 8) | (upper << 24)) ^ (low[index] as number);
        upper = (upper >>> 8) ^ (high[index] as number);
      }
    },
    digest: () => bigEndian(~upper, ~lower).subarray(8 - bytes),
  };
}

function bigEndian(upper: number, lower: number): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeUInt32BE(upper >>> 0, 0);
  buffer.writeUInt32BE(lower >>> 0, 4);
  return buffer;
}
