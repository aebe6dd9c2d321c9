import { asciiAt, type ByteReader } from '@/lib/video/shared/byte-reader';
import type { Box } from '@/lib/video/shared/mp4-boxes';
import { type FoundTime, localOfClock } from './local-time';
import type { Mp4Handler } from './mp4-handler';

// The movie header's time should be UTC, but some cameras have no time zone and write what their clock shows. Only those
// that are known for it are recognized here. GoPro: mapillary/mapillary_tools#819, fxstein/goprox#5, gopro/labs#5; since
// HERO11, it has a time zone, and then the header may be UTC (gopro/OpenGoPro#585) or not (immich-app/immich#28059), but
// its settings have the clock's time. Nikon: Piwigo/piwigo-videojs#98, immich-app/immich#13009, pulsejet/memories#1256.
// Canon writes UTC (Piwigo/piwigo-videojs#98), and so does Sony (jmathai/elodie#382). Reports of DJI's and Insta360's
// contradict each other, so what else is known of a file decides.

/** How GoPros name the handlers of their tracks: GoPro AVC, GoPro H.265, GoPro AAC, GoPro MET. */
const HANDLER_NAME = /^GoPro /;
/** User data of GoPros (HERO3 and later) and of Nikons, as ExifTool's QuickTime.pm lists them. */
const USER_DATA = ['GoPr', 'GPMF', 'FIRM', 'NCDT'];

/** What a movie's header has besides its times. */
export interface CameraMarks {
  tracks: readonly Mp4Handler[];
  /** The boxes of user data by their types. */
  userData: ReadonlyMap<string, Box>;
}

const NO_SETTINGS = { clock: null, hasZone: false };
/** Of a camera that isn't known. */
export const NO_CLOCK = { times: [], isHeaderLocal: false };

/** Settings are about a hundred elements. */
const MAX_ELEMENTS = 1000;
const MAX_SETTINGS_BYTES = 32_768;

/**
 * Reads a GoPro's settings, in which an element has a key, a type, a size, and a count (github.com/gopro/gpmf-parser); type
 * 0 has others inside. Returns what its clock showed (`CDAT`), in milliseconds since 1970 as if it was UTC, or null; and
 * whether it has a time zone (`TZON`).
 */
async function readGoProSettings(file: ByteReader, { start, end }: Box) {
  const settings = await file.read(start, Math.min(end - start, MAX_SETTINGS_BYTES));
  const found = { clock: null as number | null, hasZone: false };
  for (let at = 0, count = 0; at + 8 <= settings.byteLength && count < MAX_ELEMENTS; count += 1) {
    const key = asciiAt(settings, at, 4);
    const bytes = settings.getUint8(at + 5) * settings.getUint16(at + 6);
    if (key === 'TZON') found.hasZone = true;
    if (key === 'CDAT' && bytes === 8 && at + 16 <= settings.byteLength) {
      found.clock = Number(settings.getBigUint64(at + 8)) * 1000;
    }
    at += settings.getUint8(at + 4) === 0 ? 8 : 8 + Math.ceil(bytes / 4) * 4;
  }
  return found;
}

/**
 * Returns what the clock of a camera showed, the most reliable time first, and whether the header's time is one of these,
 * rather than UTC as far as one knows.
 * @param createdAt the movie header's time in milliseconds since 1970; null if it has none
 * @throws RangeError if the header is damaged
 */
export async function readCameraClock(
  file: ByteReader,
  createdAt: number | null,
  { tracks, userData }: CameraMarks,
): Promise<{ times: FoundTime[]; isHeaderLocal: boolean }> {
  const isKnown =
    USER_DATA.some((type) => userData.has(type)) ||
    tracks.some(({ handlerName }) => HANDLER_NAME.test(handlerName));
  if (!isKnown) return NO_CLOCK;
  const settings = userData.get('GPMF');
  const { clock, hasZone } = settings ? await readGoProSettings(file, settings) : NO_SETTINGS;
  const clocks = [clock, hasZone ? null : createdAt].filter((time) => time !== null);
  return { times: clocks.map((time) => ({ local: localOfClock(time) })), isHeaderLocal: !hasZone };
}
