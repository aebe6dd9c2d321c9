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
