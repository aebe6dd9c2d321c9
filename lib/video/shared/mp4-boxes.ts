import { asciiAt, type ByteReader } from './byte-reader';

/** A box (ISO/IEC 14496-12, 4.2), and where its content is, in bytes. */
export interface Box {
  type: string;
  start: number;
  end: number;
  /** Whether all of it is there. The last one of a file that was cut off isn't. */
  isWhole: boolean;
}

/** Files have few boxes at each level that matters; a fragmented one has its header first. */
const MAX_BOXES = 256;

/** Lists the boxes between two places, until there are no more or one of them is wrong. */
export async function* boxesIn(file: ByteReader, from: number, end: number): AsyncGenerator<Box> {
  for (let at = from, count = 0; at + 8 <= end && count < MAX_BOXES; count += 1) {
    const head = await file.read(at, 16);
    const short = head.getUint32(0);
    const isLong = short === 1;
    const size = isLong ? Number(head.getBigUint64(8)) : short || end - at;
    const headBytes = isLong ? 16 : 8;
    if (size < headBytes) return;
    const place = { start: at + headBytes, end: Math.min(at + size, end) };
    yield { type: asciiAt(head, 4, 4), ...place, isWhole: at + size <= end };
    at += size;
  }
}

/**
 * Returns the first box of a type between two places, or at the end of a path of types, each inside the one before.
 * @returns null if there's none
 * @throws RangeError if the boxes are damaged
 */
export async function findBox(
  file: ByteReader,
  { start, end }: Pick<Box, 'start' | 'end'>,
  ...[type, ...inner]: string[]
): Promise<Box | null> {
  for await (const box of boxesIn(file, start, end)) {
    if (box.type === type) return inner.length > 0 ? findBox(file, box, ...inner) : box;
  }
  return null;
}
