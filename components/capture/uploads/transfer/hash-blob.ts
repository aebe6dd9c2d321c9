// Loaded up front, since the network may be gone by the time a recording needs it.
import { md5 } from '@noble/hashes/legacy.js';

/** Bytes to read and hash at a time: about 3 ms, so that the page stays responsive. */
const CHUNK_SIZE = 512 * 1024;

/**
 * Adds a blob's bytes to a hash.
 * @throws DOMException `NotReadableError` if the file was changed or deleted
 */
export async function hashBlob(hash: { update(bytes: Uint8Array): unknown }, blob: Blob): Promise<void> {
  for (let at = 0; at < blob.size; at += CHUNK_SIZE) {
    hash.update(new Uint8Array(await blob.slice(at, at + CHUNK_SIZE).arrayBuffer()));
  }
}

/**
 * Returns the MD5 of a blob in base64, for Content-MD5 (RFC 1864).
 * @throws DOMException `NotReadableError` if the file was changed or deleted
 */
export async function md5Of(blob: Blob): Promise<string> {
  const hash = md5.create();
  await hashBlob(hash, blob);
  return btoa(String.fromCharCode(...hash.digest()));
}
