import { asciiAt, type ByteReader } from './byte-reader';
import { type FoundTime, localOfClock } from './local-time';
import type { Box } from './mp4-boxes';
import type { Mp4Track } from './mp4-track';

// The movie header's time should be UTC, but some cameras have no time zone and write what their clock shows. Only those
// that are known for it are recognized here. GoPro: immich-app/immich#28059, mapillary/mapillary_tools#819, fxstein/goprox#5.
// Nikon: Piwigo/piwigo-videojs#98, immich-app/immich#13009, pulsejet/memories#1256. The same reports have Canon's and Sony's
// times as UTC. DJI's and Insta360's differ between models, so what else is known of a file decides.

/** How GoPros name the handlers of their tracks: GoPro AVC, GoPro H.265, GoPro AAC, GoPro MET. */
const HANDLER_NAME = /^GoPro /;
/** User data of GoPros (HERO3 and later) and of Nikons, as ExifTool's QuickTime.pm lists them. */
const USER_DATA = ['GoPr', 'GPMF', 'FIRM', 'NCDT'];

/** What a movie's header has besides its times. */
export interface CameraMarks {
  tracks: readonly Mp4Track[];
  /** The boxes of user data by their types. */
  userData: ReadonlyMap<string, Box>;
}

/** Settings are about a hundred elements. */
const MAX_ELEMENTS = 1000;
const MAX_SETTINGS_BYTES = 32_768;

/**
 * Reads `CDAT` in a GoPro's settings: what its clock showed, also on models that have a time zone and write the movie
 * header in UTC. An element has a key, a type, a size, and a count (github.com/gopro/gpmf-parser); type 0 has others inside.
 * @returns milliseconds since 1970, as if the clock had shown UTC; null if it's missing
 */
async function readGoProClock(file: ByteReader, { start, end }: Box): Promise<number | null> {
  const settings = await file.read(start, Math.min(end - start, MAX_SETTINGS_BYTES));
  for (let at = 0, count = 0; at + 8 <= settings.byteLength && count < MAX_ELEMENTS; count += 1) {
    const bytes = settings.getUint8(at + 5) * settings.getUint16(at + 6);
    const isFound = asciiAt(settings, at, 4) === 'CDAT' && bytes === 8 && at + 16 <= settings.byteLength;
    if (isFound) return Number(settings.getBigUint64(at + 8)) * 1000;
    at += settings.getUint8(at + 4) === 0 ? 8 : 8 + Math.ceil(bytes / 4) * 4;
  }
  return null;
}

/**
 * Returns what the clock of a camera without a time zone showed, the most reliable time first.
 * @param createdAt the movie header's time in milliseconds since 1970; null if it has none
 * @returns null if the camera isn't known for it, and the header's time is UTC as far as one knows
 * @throws RangeError if the header is damaged
 */
export async function readCameraClock(
  file: ByteReader,
  createdAt: number | null,
  { tracks, userData }: CameraMarks,
): Promise<FoundTime[] | null> {
  const isKnown =
    USER_DATA.some((type) => userData.has(type)) ||
    tracks.some(({ handlerName }) => HANDLER_NAME.test(handlerName));
  if (!isKnown) return null;
  const settings = userData.get('GPMF');
  const clocks = [settings ? await readGoProClock(file, settings) : null, createdAt];
  return clocks.flatMap((clock) => (clock === null ? [] : [{ local: localOfClock(clock) }]));
}
