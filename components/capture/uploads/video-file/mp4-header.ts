import { asciiAt, type ByteReader, type RawHeader, textOf } from './byte-reader';
import { parseTime } from './local-time';

/** A box (ISO/IEC 14496-12, 4.2), and where its content is, in bytes. */
export interface Box {
  type: string;
  start: number;
  end: number;
  /** Whether all of it is there. The last one of a file that was cut off isn't. */
  isWhole: boolean;
}

/** Seconds from 1904, the QuickTime epoch, to 1970. */
const SECONDS_1904_TO_1970 = 2_082_844_800;
/** Files have few boxes at each level that matters; a fragmented one has its header first. */
const MAX_BOXES = 256;
/** What's read of a value. Cover pictures are values, too. */
const MAX_VALUE_BYTES = 256;
const MAX_KEYS = 100;

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

/** Finds the first box of a type between two places. */
export async function findBox(
  file: ByteReader,
  { start, end }: Pick<Box, 'start' | 'end'>,
  type: string,
): Promise<Box | null> {
  for await (const box of boxesIn(file, start, end)) if (box.type === type) return box;
  return null;
}

/** Reads `mvhd` (ISO/IEC 14496-12, 8.2.2), whose times are UTC and whose length is all ones if it's unknown. */
async function readMovieHeader(file: ByteReader, { start }: Box): Promise<RawHeader> {
  const mvhd = await file.read(start, 32);
  const isLong = mvhd.getUint8(0) === 1;
  const created = isLong ? Number(mvhd.getBigUint64(4)) : mvhd.getUint32(4);
  const timescale = mvhd.getUint32(isLong ? 20 : 12);
  const duration = isLong ? Number(mvhd.getBigUint64(24)) : mvhd.getUint32(16);
  const isKnown = timescale > 0 && duration > 0 && duration < (isLong ? 2 ** 64 : 2 ** 32 - 1);
  return {
    createdAt: created > SECONDS_1904_TO_1970 ? (created - SECONDS_1904_TO_1970) * 1000 : null,
    seconds: isKnown ? duration / timescale : null,
  };
}

/** Reads the names of `keys` (QuickTime File Format, Metadata), in their order. */
async function readKeys(file: ByteReader, { start, end }: Box): Promise<string[]> {
  const names: string[] = [];
  for (let at = start + 8; at + 8 <= end && names.length < MAX_KEYS; ) {
    const size = (await file.read(at, 4)).getUint32(0);
    if (size < 8) break;
    names.push(textOf(await file.read(at + 8, Math.min(size - 8, MAX_VALUE_BYTES))));
    at += size;
  }
  return names;
}

/** Reads the values of `meta` by their names: those of `keys`, or the types of iTunes’ items. */
async function readMeta(file: ByteReader, meta: Box, values: Map<string, string>): Promise<void> {
  // QuickTime's has no version, which ISO's has.
  const isQuickTime = asciiAt(await file.read(meta.start, 8), 4, 4) === 'hdlr';
  const inside = { start: meta.start + (isQuickTime ? 0 : 4), end: meta.end };
  const list = await findBox(file, inside, 'ilst');
  if (!list) return;
  const keys = await findBox(file, inside, 'keys');
  const names = keys ? await readKeys(file, keys) : [];
  for await (const item of boxesIn(file, list.start, list.end)) {
    const number = [...item.type].reduce((sum, char) => sum * 256 + char.charCodeAt(0), 0);
    const name = names[number - 1] ?? item.type;
    const data = await findBox(file, item, 'data');
    if (!data || values.has(name)) continue;
    const length = Math.min(data.end - data.start - 8, MAX_VALUE_BYTES);
    if (length > 0) values.set(name, textOf(await file.read(data.start + 8, length)));
  }
}

/** Reads `udta`: texts in QuickTime's form, with a length and a language in front, and a `meta` inside. */
async function readUserData(file: ByteReader, udta: Box, values: Map<string, string>): Promise<void> {
  for await (const box of boxesIn(file, udta.start, udta.end)) {
    if (box.type === 'meta') await readMeta(file, box, values);
    if (!box.type.startsWith('\xa9') || box.end - box.start < 4) continue;
    const length = (await file.read(box.start, 2)).getUint16(0);
    const text = await file.read(box.start + 4, Math.min(length, box.end - box.start - 4, MAX_VALUE_BYTES));
    values.set(box.type, textOf(text));
  }
}

/** Reads the header of an MP4 or QuickTime file. @throws RangeError if it's damaged */
export async function readMp4(file: ByteReader): Promise<RawHeader> {
  const moov = await findBox(file, { start: 0, end: file.size }, 'moov');
  if (!moov) return {};
  let header: RawHeader = {};
  const values = new Map<string, string>();
  try {
    for await (const box of boxesIn(file, moov.start, moov.end)) {
      if (box.type === 'mvhd') header = await readMovieHeader(file, box);
      if (box.type === 'meta') await readMeta(file, box, values);
      if (box.type === 'udta') await readUserData(file, box, values);
    }
  } catch (error) {
    // What was read before a damaged box still holds.
    if (!(error instanceof RangeError)) throw error;
  }
  const day = parseTime(values.get('\xa9day') ?? '');
  return {
    ...header,
    times: [
      parseTime(values.get('com.apple.quicktime.creationdate') ?? ''),
      // A day alone is when something was published.
      day && 'local' in day && day.local.seconds === null ? null : day,
    ],
    location: values.get('com.apple.quicktime.location.ISO6709') ?? values.get('\xa9xyz'),
  };
}
