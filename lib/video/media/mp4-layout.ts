import { open } from 'node:fs/promises';
import { type ByteReader, createByteReader } from '@/lib/video/shared/byte-reader';
import { type Box, boxesIn, findBox } from '@/lib/video/shared/mp4-boxes';

/** How an MP4 or QuickTime file is laid out, as far as players care. */
export interface Mp4Layout {
  /** In fragments, as browsers record it; players can't seek in it without an index. */
  isFragmented: boolean;
  /** Whether its index is in front of what it points to. Otherwise, players need two more requests to start. */
  isIndexFirst: boolean;
  /** Whether each track plays from one place on, perhaps after a pause. Firefox plays no more complex edit lists. */
  hasSimpleEdits: boolean;
  /** How long the file and its tracks say that they are, in seconds. Players show it. */
  declaredSeconds: number[];
}

/** Runs work on a reader of the file at a path. */
export async function withReader<T>(path: string, work: (file: ByteReader) => Promise<T>): Promise<T> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const slice = (start: number, end: number) => ({
      async arrayBuffer() {
        const { buffer, bytesRead } = await handle.read(new Uint8Array(end - start), 0, end - start, start);
        return buffer.buffer.slice(0, bytesRead);
      },
    });
    return await work(createByteReader({ size, slice }));
  } finally {
    await handle.close();
  }
}

async function collect(boxes: AsyncIterable<Box>): Promise<Box[]> {
  const found: Box[] = [];
  for await (const box of boxes) found.push(box);
  return found;
}

/** Returns the top-level boxes of the MP4 or QuickTime file at a path, up to the first one that makes no sense. */
export const listTopLevelBoxes = (path: string): Promise<Box[]> =>
  withReader(path, (file) => collect(boxesIn(file, 0, file.size)));

/** Returns whether an `elst` (ISO/IEC 14496-12, 8.6.6) has at most a pause, and then one edit at normal speed. */
async function isSimpleEdit(file: ByteReader, { start }: Box): Promise<boolean> {
  const head = await file.read(start, 8);
  const isLong = head.getUint8(0) === 1;
  const count = head.getUint32(4);
  if (count > 2) return false;
  const bytes = isLong ? 20 : 12;
  const list = await file.read(start + 8, count * bytes);
  const isPause = (at: number) => (isLong ? list.getBigInt64(at + 8) === -1n : list.getInt32(at + 4) === -1);
  const edits = Array.from({ length: count }, (_, index) => index * bytes).filter(
    (at, index) => index > 0 || !isPause(at),
  );
  return edits.length <= 1 && edits.every((at) => !isPause(at) && list.getInt32(at + bytes - 4) === 0x10000);
}

/** Reads the length in an `mvhd` or `mdhd` (ISO/IEC 14496-12, 8.2.2 and 8.4.2), in seconds. */
async function readSeconds(file: ByteReader, { start }: Box): Promise<number> {
  const head = await file.read(start, 32);
  const isLong = head.getUint8(0) === 1;
  return isLong
    ? Number(head.getBigUint64(24)) / head.getUint32(20)
    : head.getUint32(16) / head.getUint32(12);
}

/** Reads what an index says of its tracks. @throws RangeError if it's damaged */
async function readIndex(file: ByteReader, moov: Box) {
  const declaredSeconds: number[] = [];
  let hasSimpleEdits = true;
  for await (const box of boxesIn(file, moov.start, moov.end)) {
    const inTrack = (...path: string[]) => (box.type === 'trak' ? findBox(file, box, ...path) : null);
    const header = box.type === 'mvhd' ? box : await inTrack('mdia', 'mdhd');
    if (header) declaredSeconds.push(await readSeconds(file, header));
    const edits = await inTrack('edts', 'elst');
    if (edits) hasSimpleEdits &&= await isSimpleEdit(file, edits);
  }
  return { declaredSeconds, hasSimpleEdits };
}

/** Reads how an MP4 or QuickTime file is laid out. */
export async function layoutOf(file: ByteReader): Promise<Mp4Layout> {
  const boxes = await collect(boxesIn(file, 0, file.size));
  const placeOf = (type: string) => boxes.findIndex((box) => box.type === type);
  const moov = boxes[placeOf('moov')];
  const layout = {
    isFragmented: placeOf('moof') >= 0,
    isIndexFirst: moov !== undefined && placeOf('moov') < placeOf('mdat'),
  };
  try {
    if (moov) return { ...layout, ...(await readIndex(file, moov)) };
  } catch (error) {
    // It's damaged, which ffmpeg may not mind.
    if (!(error instanceof RangeError)) throw error;
  }
  return { ...layout, hasSimpleEdits: false, declaredSeconds: [] };
}

/** Reads how the file at a path is laid out, as {@link layoutOf} does. */
export const readMp4Layout = (path: string): Promise<Mp4Layout> => withReader(path, layoutOf);
