import { reportProgress, retry, type TransferEvents } from '@/components/device/transfer/retry';
import { call } from '@/lib/api/shared/client';
import { callInTime } from './call-in-time';
import { md5Of } from './hash-blob';
import { lastStorageUrl, partRequest, sendToStorage } from './send-to-storage';

/** Something to upload in parts. */
export interface PartSource {
  /** Returns a part by its number, from 1, once it's available; null past the last one. */
  getPart(number: number): Promise<Blob | null>;
}

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
  events: TransferEvents,
  signal: AbortSignal,
): Promise<void> {
  const params = { id: entryId };
  let arrivedCount = 0;
  const advance = reportProgress(events);

  async function sendMissing(progressed: () => void): Promise<void> {
    const state = await callInTime(
      (inTime) => call('GET /entry/:id/upload', { params, signal: inTime, onExpired: 'throw' }),
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
          (inTime) =>
            call('POST /entry/:id/upload/parts', { params, body, signal: inTime, onExpired: 'throw' }),
          signal,
        );
        const start = before;
        const request = partRequest(parts[0]?.url ?? '', part, checksum);
        await sendToStorage(request, signal, (sent) => advance(start + sent));
        arrivedCount += 1;
        progressed();
      }
      before += part.size;
      advance(before);
    }
  }

  await retry(sendMissing, events, signal, lastStorageUrl);
}
