import { asciiAt, type ByteReader, textOf } from '@/lib/video/shared/byte-reader';
import { type Box, boxesIn, findBox } from '@/lib/video/shared/mp4-boxes';
import { NO_CLOCK, readCameraClock } from './camera-clock';
import { parseTime } from './local-time';
import { type Mp4Handler, readHandler } from './mp4-handler';
import type { RawHeader } from './raw-header';

/** Seconds from 1904, the QuickTime epoch, to 1970. */
const SECONDS_1904_TO_1970 = 2_082_844_800;
/** What's read of a value. Cover pictures are values, too. */
const MAX_VALUE_BYTES = 256;
const MAX_KEYS = 100;

/** Reads `mvhd` (ISO/IEC 14496-12, 8.2.2), whose times should be UTC and whose length is all ones if it's unknown. */
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
async function readUserData(
  file: ByteReader,
  udta: Box,
  values: Map<string, string>,
  userData: Map<string, Box>,
): Promise<void> {
  for await (const box of boxesIn(file, udta.start, udta.end)) {
    userData.set(box.type, box);
    if (box.type === 'meta') await readMeta(file, box, values);
    if (!box.type.startsWith('\xa9') || box.end - box.start < 4) continue;
    const length = (await file.read(box.start, 2)).getUint16(0);
    const text = await file.read(box.start + 4, Math.min(length, box.end - box.start - 4, MAX_VALUE_BYTES));
    values.set(box.type, textOf(text));
  }
}

/** Keys of phones, which know their time zone and write the movie header in UTC. */
const PHONE_KEY = /^com\.(?:apple\.quicktime|android)\./;
const CONTENT_IDENTIFIER = 'com.apple.quicktime.content.identifier';

/** Reads the header of an MP4 or QuickTime file. @throws RangeError if it's damaged */
export async function readMp4(file: ByteReader): Promise<RawHeader> {
  const moov = await findBox(file, { start: 0, end: file.size }, 'moov');
  if (!moov) return {};
  let header: RawHeader = {};
  let clock: Awaited<ReturnType<typeof readCameraClock>> = NO_CLOCK;
  const values = new Map<string, string>();
  const userData = new Map<string, Box>();
  const tracks: Mp4Handler[] = [];
  try {
    for await (const box of boxesIn(file, moov.start, moov.end)) {
      if (box.type === 'mvhd') header = await readMovieHeader(file, box);
      if (box.type === 'trak') tracks.push(await readHandler(file, box));
      if (box.type === 'meta') await readMeta(file, box, values);
      if (box.type === 'udta') await readUserData(file, box, values, userData);
    }
    clock = await readCameraClock(file, header.createdAt ?? null, { tracks, userData });
  } catch (error) {
    // What was read before a damaged box still holds.
    if (!(error instanceof RangeError)) throw error;
  }
  const day = parseTime(values.get('\xa9day') ?? '');
  return {
    ...header,
    ...(clock.isHeaderLocal && { createdAt: null }),
    times: [
      parseTime(values.get('com.apple.quicktime.creationdate') ?? ''),
      // A day alone is when something was published.
      day && 'local' in day && day.local.seconds === null ? null : day,
      ...clock.times,
    ],
    isUtc: [...values.keys()].some((key) => PHONE_KEY.test(key)),
    livePhoto: {
      hasIdentifier: values.has(CONTENT_IDENTIFIER),
      hasStillTime: tracks.some(({ hasStillTime }) => hasStillTime),
    },
    location: values.get('com.apple.quicktime.location.ISO6709') ?? values.get('\xa9xyz'),
  };
}
