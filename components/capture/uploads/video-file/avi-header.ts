import { asciiAt, type ByteReader, textAt } from './byte-reader';
import { parseTime } from './local-time';
import type { RawHeader } from './raw-header';

/** Files have few chunks besides those in `movi`, which is skipped. */
const MAX_CHUNKS = 128;
const MAX_TEXT_BYTES = 64;
/** Lists that have what's looked for: the header, and what people and cameras say of the file. */
const LISTS = new Set(['hdrl', 'INFO']);

/**
 * Reads the header of an AVI file (RIFF). Cameras write `IDIT`, and programs `ICRD`, both without a time zone.
 * @throws RangeError if it's damaged
 */
export async function readAvi(file: ByteReader): Promise<RawHeader> {
  const texts = new Map<string, string>();
  let seconds: number | null = null;
  const pending = [{ at: 12, end: file.size }];
  let chunks = 0;
  for (let list = pending.pop(); list; list = pending.pop()) {
    for (let { at } = list; at + 8 <= list.end && chunks < MAX_CHUNKS; chunks += 1) {
      const head = await file.read(at, 12);
      const [type, size] = [asciiAt(head, 0, 4), head.getUint32(4, true)];
      if (type === 'LIST' && size >= 4 && LISTS.has(asciiAt(head, 8, 4))) {
        pending.push({ at: at + 12, end: Math.min(at + 8 + size, list.end) });
      }
      if (type === 'IDIT' || type === 'ICRD') {
        texts.set(type, textAt(await file.read(at + 8, Math.min(size, MAX_TEXT_BYTES))));
      }
      if (type === 'avih' && size >= 20) {
        const avih = await file.read(at + 8, 20);
        seconds = (avih.getUint32(0, true) * avih.getUint32(16, true)) / 1e6;
      }
      // Chunks are padded to an even length.
      at += 8 + size + (size % 2);
    }
  }
  return { seconds, times: ['IDIT', 'ICRD'].map((type) => parseTime(texts.get(type) ?? '')) };
}
