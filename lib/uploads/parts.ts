import type { StoredPart } from '@/lib/services/multipart';
import { PART_BYTES } from './contract';

/** Bytes of one part of a file: all are equal but the last. 0 or less past its end. */
export function partSize(number: number, fileSize: number): number {
  return Math.min(PART_BYTES, fileSize - (number - 1) * PART_BYTES);
}

/** The MD5 that an ETag is, in base64; null where it is none, as in buckets with keys of their own (SSE-KMS). */
export function md5OfEtag(etag: string): string | null {
  const hex = etag.replaceAll('"', '');
  return /^[0-9a-f]{32}$/i.test(hex) ? Buffer.from(hex, 'hex').toString('base64') : null;
}

/** Whether these are all the parts of a file, in order, of the right size and of the MD5s that were declared. */
export function hasEveryPart(
  parts: readonly StoredPart[],
  fileSize: number,
  declared?: readonly string[],
): boolean {
  const count = Math.ceil(fileSize / PART_BYTES);
  if (parts.length !== count || (declared && declared.length !== count)) return false;
  return parts.every((part, index) => {
    const md5 = md5OfEtag(part.etag);
    const right = !declared || md5 === null || md5 === declared[index];
    return part.number === index + 1 && part.size === partSize(part.number, fileSize) && right;
  });
}
