// Loaded up front, since the network may be gone by the time a recording needs it.
import { md5 } from '@noble/hashes/legacy.js';

/** Bytes to read and hash at a time: about 3 ms, so that the page stays responsive. */
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
 * Returns the MD5 of a blob in base64, for Content-MD5 (RFC 1864).
 * @throws DOMException `NotReadableError` if the file was changed or deleted
 */
export const md5Of = async (blob: Blob): Promise<string> => toBase64(await digest(blob));

/** Returns the ETag that S3 gives an object uploaded in parts with these MD5s. */
export async function etagOfParts(md5s: readonly string[]): Promise<string> {
  const sums = md5s.map((md5) => fromBase64(md5));
  return `${toHex(await digest(new Blob(sums)))}-${md5s.length}`;
}

/** Returns the ETag that S3 gives an object uploaded in one piece: its MD5. */
export const etagOfWhole = async (blob: Blob): Promise<string> => toHex(await digest(blob));
