import { type CalendarDate, fromParts, isWithinPast100Years, localToday } from '@/lib/entries/calendar';

const readView = async (file: Blob, start: number, length: number) =>
  new DataView(await file.slice(start, start + length).arrayBuffer());

const boxTypeAt = (data: DataView, at: number) =>
  String.fromCharCode(...new Uint8Array(data.buffer, data.byteOffset + at, 4));

/** Seconds from 1904, the QuickTime epoch, to 1970. */
const SECONDS_1904_TO_1970 = 2_082_844_800;
/** Files have few top-level boxes; fragments don't matter here. */
const MAX_BOXES = 64;

/** Returns an MP4 or QuickTime file's creation time: `mvhd` in `moov` (ISO/IEC 14496-12, 8.2.2), UTC. */
async function mp4Time(file: Blob): Promise<number | null> {
  for (let at = 0, count = 0; at + 16 <= file.size && count < MAX_BOXES; count += 1) {
    const head = await readView(file, at, 16);
    const short = head.getUint32(0);
    const size = short === 1 ? Number(head.getBigUint64(8)) : short || file.size - at;
    if (size < 8) return null;
    if (boxTypeAt(head, 4) === 'moov') {
      const inside = await readView(file, at + (short === 1 ? 16 : 8), 40);
      if (inside.byteLength < 24 || boxTypeAt(inside, 4) !== 'mvhd') return null;
      const seconds = inside.getUint8(8) === 1 ? Number(inside.getBigUint64(12)) : inside.getUint32(12);
      return seconds > SECONDS_1904_TO_1970 ? (seconds - SECONDS_1904_TO_1970) * 1000 : null;
    }
    at += size;
  }
  return null;
}

const MATROSKA_EPOCH = Date.UTC(2001, 0, 1);

/** Returns a Matroska file's creation time: DateUTC (RFC 9559, 5.1.2.11), nanoseconds since 2001. */
async function matroskaTime(file: Blob): Promise<number | null> {
  const data = await readView(file, 0, 65_536);
  for (let at = 0; at + 11 <= data.byteLength; at += 1) {
    // The element's ID and its length, 8 bytes.
    if (data.getUint16(at) === 0x4461 && data.getUint8(at + 2) === 0x88) {
      return MATROSKA_EPOCH + Number(data.getBigInt64(at + 3) / 1_000_000n);
    }
  }
  return null;
}

async function metadataTime(file: Blob): Promise<number | null> {
  if (file.size < 16) return null;
  const head = await readView(file, 0, 4);
  return head.getUint32(0) === 0x1a45dfa3 ? matroskaTime(file) : mp4Time(file);
}

/** Finds a date in a name such as VID_20240131_120000.mp4, 2024-01-31.mov or 2024.01.31 Walk.mp4. */
export function dateInName(name: string): CalendarDate | null {
  const found = /(?<!\d)((?:19|20)\d\d)([-_. ]?)(\d\d)\2(\d\d)(?!\d)/.exec(name);
  if (!found) return null;
  return fromParts({ year: Number(found[1]), month: Number(found[3]), day: Number(found[4]) });
}

const plausibleDate = (date: CalendarDate | null) =>
  date && isWithinPast100Years(date, localToday()) && date.year >= 1970 ? date : null;

/**
 * Guesses the day a video was recorded from its metadata or its name.
 * @returns null if neither has a date
 */
export async function getRecordedDate(file: File): Promise<CalendarDate | null> {
  const time = await metadataTime(file).catch(() => null);
  const recorded = time === null ? null : plausibleDate(localToday(new Date(time)));
  return recorded ?? plausibleDate(dateInName(file.name));
}

/** Returns the day a file was last modified, as a fallback. */
export const getModifiedDate = (file: File): CalendarDate =>
  plausibleDate(localToday(new Date(file.lastModified))) ?? localToday();

const CAMERA_NAME =
  /^(vid|video|img|mov|mvi|pxl|dsc|dscf|dscn|gopr|gx|gh|wa|whatsapp|screen|recording|clip|\d+|at|am|pm)$/i;
const LONG_DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** Suggests a title: the file name without what cameras put there, or else the day. */
export function titleFromName(name: string, { year, month, day }: CalendarDate): string {
  const words = name
    .replace(/\.[a-z0-9]{2,4}$/i, '')
    .split(/[\s_.()-]+/)
    .filter(Boolean);
  const telling = words.filter((word) => !CAMERA_NAME.test(word) && !/^[a-z]{0,4}\d{4,}[a-z]?$/i.test(word));
  if (telling.length === 0) return `Video from ${LONG_DATE.format(Date.UTC(year, month - 1, day))}`;
  const title = telling.join(' ').slice(0, 200);
  return title.charAt(0).toUpperCase() + title.slice(1);
}
