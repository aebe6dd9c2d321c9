import { asciiAt, type ByteReader } from '@/lib/video/shared/byte-reader';

/** A chunk of a RIFF file, and where its content is, in bytes. */
interface Chunk {
  type: string;
  start: number;
  size: number;
}

/** Files have few chunks besides those in `movi`, which is skipped. */
const MAX_CHUNKS = 256;

/**
 * Lists the chunks of a RIFF file in their order, and those inside the lists of these types. Other lists are skipped.
 * @throws RangeError if it's damaged
 */
export async function* chunksIn(file: ByteReader, lists: ReadonlySet<string>): AsyncGenerator<Chunk> {
  const open = [{ at: 12, end: file.size }];
  for (let count = 0; count < MAX_CHUNKS; count += 1) {
    const list = open.at(-1);
    if (!list) return;
    if (list.at + 8 > list.end) {
      open.pop();
      continue;
    }
    const head = await file.read(list.at, 12);
    const [type, size] = [asciiAt(head, 0, 4), head.getUint32(4, true)];
    const start = list.at + 8;
    // Chunks are padded to an even length.
    list.at = start + size + (size % 2);
    if (type === 'LIST' && size >= 4 && lists.has(asciiAt(head, 8, 4))) {
      open.push({ at: start + 4, end: Math.min(start + size, list.end) });
    } else yield { type, start, size };
  }
}
