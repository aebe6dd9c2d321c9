import { readRange } from '@/lib/clients/storage-ranges';
import { log } from '@/lib/foundation/log';
import { type PlayableMp4, readPlayableMp4 } from '@/lib/video/media/playable-mp4';
import { type ByteSource, createByteReader } from '@/lib/video/shared/byte-reader';

/** What's read of a file at once. The indexes of most videos of a few minutes are in the first piece. */
const PIECE_BYTES = 262_144;
/** How many pieces are read at most: the index of a few hours. */
const MAX_PIECES = 24;
/** How long somebody who completes an upload waits for it, in milliseconds. */
const TIMEOUT_MS = 2000;

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

/** Returns an object in storage as something to read pieces of, each once. */
function sourceOf(version: { key: string; etag: string }, size: number, signal: AbortSignal): ByteSource {
  const pieces = new Map<number, Promise<Buffer>>();
  const readPiece = (index: number): Promise<Buffer> => {
    const known = pieces.get(index);
    if (known) return known;
    if (pieces.size >= MAX_PIECES) throw new RangeError('too many pieces');
    const start = index * PIECE_BYTES;
    const length = Math.min(PIECE_BYTES, size - start);
    const piece = collect(readRange(version, { start, length }, signal));
    pieces.set(index, piece);
    return piece;
  };
  return {
    size,
    slice: (start, end) => ({
      async arrayBuffer() {
        const last = Math.min(end, size);
        const found = new Uint8Array(Math.max(0, last - start));
        for (let at = start; at < last; ) {
          const index = Math.floor(at / PIECE_BYTES);
          const from = at - index * PIECE_BYTES;
          const part = (await readPiece(index)).subarray(from, from + last - at);
          found.set(part, at - start);
          at += part.length;
        }
        return found.buffer;
      },
    }),
  };
}

/**
 * Reads from the index of an uploaded file whether browsers play it as it is, so that it can be watched before its job has
 * run. The job decides: what an index says may be wrong.
 * @returns null if it can't be told soon enough, too
 */
export async function readPlayableUpload(
  version: { key: string; etag: string },
  size: number,
): Promise<PlayableMp4 | null> {
  try {
    const source = sourceOf(version, size, AbortSignal.timeout(TIMEOUT_MS));
    return await readPlayableMp4(createByteReader(source));
  } catch (error) {
    log.info({ event: 'upload.unread', error }, 'uploads: couldn’t read the index of a video');
    return null;
  }
}
