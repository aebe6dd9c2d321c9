// Not loaded when it is first needed: by then a recording may be on its way, and the network gone.
import { md5 } from '@noble/hashes/legacy.js';

/** Read and hashed at a time: about 3 ms of the page's thread, so that it stays responsive. In bytes. */
const CHUNK_SIZE = 512 * 1024;

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
const toHex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

async function digest(blob: Blob): Promise<Uint8Array> {
  const hash = md5.create();
  for (let at = 0; at < blob.size; at += CHUNK_SIZE) {
    hash.update(new Uint8Array(await blob.slice(at, at + CHUNK_SIZE).arrayBuffer()));
  }
  return hash.digest();
}

/**
 * The MD5 of a blob in base64, as Content-MD5 has it (RFC 1864).
 * @throws DOMException `NotReadableError` when the file behind it has changed or gone
 */
export const md5Of = async (blob: Blob): Promise<string> => toBase64(await digest(blob));

/** The ETag that S3 gives an object of parts with these MD5s; that of one sent in one piece is its MD5. */
export async function etagOfParts(md5s: readonly string[]): Promise<string> {
  const sums = md5s.map((md5) => fromBase64(md5));
  return `${toHex(await digest(new Blob(sums)))}-${md5s.length}`;
}

/** The ETag that S3 gives an object that was sent in one piece. */
export const etagOfWhole = async (blob: Blob): Promise<string> => toHex(await digest(blob));
