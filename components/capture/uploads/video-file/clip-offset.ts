import { clockTime, type LocalTime, offsetAt } from './local-time';
import type { VideoHeader } from './video-header';

/** How far a clip's clock was ahead of UTC, and how far that may be wrong, both in minutes. */
interface Offset {
  offset: number;
  margin: number;
}

/** Every zone's offset is a multiple of this many minutes, and within these. */
const STEP = 15;
const [MIN_OFFSET, MAX_OFFSET] = [-12 * 60, 14 * 60];
/** Names have the time when a button was pressed, and metadata when the file was opened. */
const TOLERANCE_MINUTES = 1;
/** The sun needs four minutes for a degree. */
const MINUTES_PER_DEGREE = 4;
/** How far clocks are from the sun's time at most: in western China, and in Spain in summer. */
const LONGITUDE_MARGIN = 150;
/** A place this close to the sun's time at home is in the person's zone, or in one next to it. */
const NEAR_HOME_MINUTES = 90;
const NEIGHBOR_MARGIN = 60;
/** Islands on the American side of the date line, some of which keep the Asian date. Hawaii is north of them. */
const isNearDateLine = ({ latitude, longitude }: { latitude: number; longitude: number }) =>
  longitude < -150 && latitude > -30 && latitude < 10;
const DAY_MINUTES = 24 * 60;
/** People travel, and cameras keep the time of home. */
const HOME_MARGIN = 3 * 60;

/** Returns the offset between a moment and what a clock showed then; null if the two don't belong together. */
function offsetBetween(instant: number, clock: LocalTime): number | null {
  if (clock.seconds === null) return null;
  const minutes = (clockTime(clock) - instant) / 60_000;
  const offset = Math.round(minutes / STEP) * STEP;
  const isExact = Math.abs(minutes - offset) <= TOLERANCE_MINUTES;
  return isExact && offset >= MIN_OFFSET && offset <= MAX_OFFSET ? offset : null;
}

/**
 * Finds the offset of a moment: by a clock's time in the metadata or in the name, then by where it was recorded, and
 * else by the person's zone. Cameras that write the end of a recording differ from a clock by its length.
 * @param clocks what names say
 * @param zone the person's, an IANA name
 */
export function findOffset(
  instant: number,
  { header, location }: { header: VideoHeader; location: VideoHeader['location'] },
  clocks: readonly LocalTime[],
  zone: string,
): Offset {
  if (header.local?.offset != null) return { offset: header.local.offset, margin: 0 };
  const starts = [instant, instant - (header.seconds ?? 0) * 1000];
  for (const clock of header.local ? [header.local, ...clocks] : clocks) {
    for (const start of starts) {
      const offset = offsetBetween(start, clock);
      if (offset !== null) return { offset, margin: 0 };
    }
  }
  const home = offsetAt(zone, instant) ?? 0;
  if (!location) return { offset: home, margin: HOME_MARGIN };
  const solar = Math.round(location.longitude * MINUTES_PER_DEGREE);
  if (isNearDateLine(location)) return { offset: solar, margin: DAY_MINUTES };
  const distance = Math.abs(home - solar);
  if (distance <= NEAR_HOME_MINUTES) return { offset: home, margin: NEIGHBOR_MARGIN };
  return distance <= HOME_MARGIN
    ? { offset: home, margin: HOME_MARGIN }
    : { offset: solar, margin: LONGITUDE_MARGIN };
}
