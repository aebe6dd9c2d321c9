import { asciiAt, type ByteReader, createByteReader, textOf } from '@/lib/video/shared/byte-reader';
import { approximateInstant, isPlausibleTime, type LocalTime, parseTime } from './local-time';
import { readMatroska } from './matroska-header';
import { readMp4 } from './mp4-header';
import type { LivePhotoMarks, RawHeader } from './raw-header';
import { chunksIn } from './riff-chunks';

/** What a video's header says of it; null for what it doesn't say. */
export interface VideoHeader {
  /** Milliseconds since 1970. Cameras that don't know their time zone may have written what their clock showed. */
  createdAt: number | null;
  /** Whether `createdAt` is certainly UTC, as phones write it. */
  isUtc: boolean;
  /** What the clock showed where it was recorded. Editors and exports keep it, but not `createdAt`. */
  local: LocalTime | null;
  location: { latitude: number; longitude: number } | null;
  /** Its length. Recorders don't know it when they write the header. */
  seconds: number | null;
  livePhoto: LivePhotoMarks;
}

const NO_MARKS: LivePhotoMarks = { hasIdentifier: false, hasStillTime: false };
/** The header of a file that says nothing. */
export const NO_HEADER: VideoHeader = {
  ...{ createdAt: null, isUtc: false, local: null, location: null, seconds: null },
  livePhoto: NO_MARKS,
};

const MAX_TEXT_BYTES = 64;
/** Lists that have what's looked for: the header, and what people and cameras say of the file. */
const LISTS = new Set(['hdrl', 'INFO']);

/**
 * Reads the header of an AVI file (RIFF). Cameras write `IDIT`, and programs `ICRD`, both without a time zone.
 * @throws RangeError if it's damaged
 */
async function readAvi(file: ByteReader): Promise<RawHeader> {
  const texts = new Map<string, string>();
  let seconds: number | null = null;
  for await (const { type, start, size } of chunksIn(file, LISTS)) {
    if (type === 'IDIT' || type === 'ICRD') {
      texts.set(type, textOf(await file.read(start, Math.min(size, MAX_TEXT_BYTES))));
    }
    if (type === 'avih' && size >= 20) {
      const avih = await file.read(start, 20);
      seconds = (avih.getUint32(0, true) * avih.getUint32(16, true)) / 1e6;
    }
  }
  return { seconds, times: ['IDIT', 'ICRD'].map((type) => parseTime(texts.get(type) ?? '')) };
}

/** Parses ISO 6709 in degrees, as phones write it. Zero and zero is what they write if they don't know. */
function parseLocation(text: string | undefined): VideoHeader['location'] {
  const [, latitude, longitude] = /^([+-]\d{1,2}(?:\.\d+)?)([+-]\d{1,3}(?:\.\d+)?)/.exec(text ?? '') ?? [];
  const found = { latitude: Number(latitude), longitude: Number(longitude) };
  const isPlace = Math.abs(found.latitude) <= 90 && Math.abs(found.longitude) <= 180;
  return isPlace && (found.latitude !== 0 || found.longitude !== 0) ? found : null;
}

function toHeader(
  { createdAt, times = [], isUtc = false, location, seconds, livePhoto = NO_MARKS }: RawHeader,
  now: number,
): VideoHeader {
  const plausible = times.filter(
    (time) => time && isPlausibleTime('instant' in time ? time.instant : approximateInstant(time.local), now),
  );
  const first = plausible[0];
  const isCreated = typeof createdAt === 'number' && isPlausibleTime(createdAt, now);
  return {
    createdAt: first && 'instant' in first ? first.instant : isCreated ? createdAt : null,
    isUtc: isUtc || (first !== undefined && first !== null && 'instant' in first),
    local: first && 'local' in first ? first.local : null,
    location: parseLocation(location),
    seconds: seconds && Number.isFinite(seconds) && seconds > 0 ? seconds : null,
    livePhoto,
  };
}

/**
 * Returns what a file's header says, with a few small reads. Times that a clock shows that was never set, and times in
 * the future, are left out. Never rejects.
 * @param now milliseconds since 1970
 */
export async function readVideoHeader(file: Blob, now = Date.now()): Promise<VideoHeader> {
  try {
    if (file.size < 16) return NO_HEADER;
    const reader = createByteReader(file);
    const head = await reader.read(0, 12);
    if (head.getUint32(0) === 0x1a45dfa3) return toHeader(await readMatroska(reader), now);
    const isAvi = asciiAt(head, 0, 4) === 'RIFF' && asciiAt(head, 8, 4) === 'AVI ';
    return toHeader(await (isAvi ? readAvi(reader) : readMp4(reader)), now);
  } catch {
    return NO_HEADER;
  }
}
