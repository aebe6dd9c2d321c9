import { retryUntilConnected } from '@/components/uploads/queue/retry-until-connected';
import { api } from '@/lib/contract/client';
import type { UploadState } from '@/lib/uploads/contract';
import { StorageError } from './form-upload';
import { md5Of } from './md5';
import { PartRejectedError, putPart } from './put-part';

/** What is sent in parts. */
export interface PartSource {
  /** A part by its number, from 1; waits for one that is still being made. Null past the last one. */
  getPart(number: number): Promise<Blob | null>;
}

export interface TransferEvents {
  /** Bytes that storage has, or that are on their way in the part at hand. */
  onProgress(sent: number): void;
  /** Whether it waits for the connection. */
  onWaiting(waits: boolean): void;
}

/** An address that was refused may have expired, and storage may have lost the upload: both are mended by asking anew. */
const MAX_REFUSALS = 4;

interface SignedParts {
  parts: { number: number; url: string }[];
}

/** A file in parts of `partSize` bytes. */
export function createFileSource(file: Blob, partSize: number): PartSource {
  return {
    async getPart(number) {
      const start = (number - 1) * partSize;
      return start < file.size ? file.slice(start, start + partSize) : null;
    },
  };
}

/**
 * Sends what storage does not have yet, one part after the other, so that a cut costs one part at most. After every
 * cut storage is asked what has arrived.
 * @param md5s what is known already of the parts' checksums, in order; the rest is added
 * @throws StorageError; ApiError for what no waiting mends; DOMException when the file cannot be read any more
 */
export async function sendParts(
  entryId: string,
  source: PartSource,
  md5s: string[],
  { onProgress, onWaiting }: TransferEvents,
  signal: AbortSignal,
): Promise<void> {
  let refusals = 0;

  async function sendMissing(connected: () => void): Promise<void> {
    const state = await api<UploadState>('GET', `/entry/${entryId}/upload`, { signal, stay: true });
    const arrived = new Map(state.parts.map((part) => [part.number, part]));
    connected();
    let before = 0;
    for (let number = 1; ; number += 1) {
      const part = await source.getPart(number);
      if (!part) return;
      signal.throwIfAborted();
      md5s[number - 1] ??= await md5Of(part);
      const md5 = md5s[number - 1] ?? '';
      const there = arrived.get(number);
      const has = there?.size === part.size && (there.md5 === null || there.md5 === md5);
      if (!has && !state.complete) {
        const wanted = { parts: [{ number, size: part.size, md5 }] };
        const path = `/entry/${entryId}/upload/parts`;
        const { parts } = await api<SignedParts>('POST', path, { body: wanted, signal, stay: true });
        const start = before;
        // A file that has gone would look like a connection that is down.
        await part.slice(0, 1).arrayBuffer();
        await putPart(parts[0]?.url ?? '', part, md5, signal, (sent) => onProgress(start + sent));
        refusals = 0;
        connected();
      }
      before += part.size;
      onProgress(before);
    }
  }

  for (;;) {
    try {
      return await retryUntilConnected(sendMissing, onWaiting, signal);
    } catch (error) {
      if (!(error instanceof PartRejectedError)) throw error;
      refusals += 1;
      if (refusals > MAX_REFUSALS) throw new StorageError();
    }
  }
}
