// Loaded up front, since the network may be gone by the time a recording needs it.
import { md5 } from '@noble/hashes/legacy.js';
import { call } from '@/lib/contract/client';
import { getUpload, signParts } from '@/lib/uploads/routes';
import { callInTime } from './call-in-time';
import { hashBlob } from './hash-blob';
import { putPart } from './put-part';
import { retry, type TransferEvents } from './retry';

/**
 * Returns the MD5 of a blob in base64, for Content-MD5 (RFC 1864).
 * @throws DOMException `NotReadableError` if the file was changed or deleted
 */
async function md5Of(blob: Blob): Promise<string> {
  const hash = md5.create();
  await hashBlob(hash, blob);
  return btoa(String.fromCharCode(...hash.digest()));
}

/** Something to upload in parts. */
export interface PartSource {
  /** Returns a part by its number, from 1, once it's available; null past the last one. */
  getPart(number: number): Promise<Blob | null>;
}

/** An address of storage, from the last part that this page sent. */
let storageUrl: string | null = null;

/**
 * Uploads the parts that storage doesn't have yet, one at a time, so that a lost connection costs one part at most.
 * Asks the server which ones arrived after each loss.
 * @param md5s the checksums known so far, in order; the rest are added
 * @throws StorageError; ApiError if a retry can't help; DOMException if the file can't be read anymore
 */
export async function sendParts(
  entryId: string,
  source: PartSource,
  md5s: string[],
  { onProgress, onProblem, wakeUps }: TransferEvents,
  signal: AbortSignal,
): Promise<void> {
  const params = { id: entryId };
  let arrivedCount = 0;
  let furthest = 0;
  // A connection that breaks at the same byte each time is one problem, not a new one with each retry.
  const advance = (sent: number) => {
    onProgress(sent);
    if (sent <= furthest) return;
    furthest = sent;
    onProblem(null);
  };

  async function sendMissing(progressed: () => void): Promise<void> {
    const state = await callInTime(
      (inTime) => call(getUpload, { params, signal: inTime, onExpired: 'throw' }),
      signal,
    );
    const arrived = new Map(state.parts.map((part) => [part.number, part]));
    if (arrived.size > arrivedCount) progressed();
    arrivedCount = arrived.size;
    let before = 0;
    for (let number = 1; ; number += 1) {
      const part = await source.getPart(number);
      if (!part) return;
      signal.throwIfAborted();
      md5s[number - 1] ??= await md5Of(part);
      const checksum = md5s[number - 1] ?? '';
      const there = arrived.get(number);
      const has = there?.size === part.size && there.md5 === checksum;
      if (!has && !state.complete) {
        const body = { parts: [{ number, size: part.size, md5: checksum }] };
        const { parts } = await callInTime(
          (inTime) => call(signParts, { params, body, signal: inTime, onExpired: 'throw' }),
          signal,
        );
        storageUrl = parts[0]?.url ?? '';
        const start = before;
        const sending = putPart(storageUrl, part, checksum, signal, (sent) => advance(start + sent));
        await sending.catch(async (error: unknown) => {
          // A file that was deleted looks like a lost connection.
          await part.slice(0, 1).arrayBuffer();
          throw error;
        });
        arrivedCount += 1;
        progressed();
      }
      before += part.size;
      advance(before);
    }
  }

  await retry(sendMissing, { onProblem, ...(wakeUps && { wakeUps }) }, signal, () => storageUrl);
}
