// Loaded up front, since the network may be gone by the time a recording needs it.
import { md5 } from '@noble/hashes/legacy.js';
import { hashBlob } from './hash-blob';

/**
 * Returns the MD5 of a blob in base64, for Content-MD5 (RFC 1864).
 * @throws DOMException `NotReadableError` if the file was changed or deleted
 */
export async function md5Of(blob: Blob): Promise<string> {
  const hash = md5.create();
  await hashBlob(hash, blob);
  return btoa(String.fromCharCode(...hash.digest()));
}
