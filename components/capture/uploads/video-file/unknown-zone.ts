import type { CalendarDate } from '@/lib/journal/entries/shared/calendar';
import { type Finding, isSame, type Reader, todayOf, WARNINGS } from './date-finding';
import { clockTime, DAY_MS, dateOfClock, instantOf, isPlausibleTime, offsetAt } from './local-time';
import type { VideoHeader } from './video-header';

/** How far a file's last change may be from its recording, for clocks that are adjusted and files that are closed late. */
const SLACK_MS = 5 * 60_000;

interface Evidence {
  header: VideoHeader;
  /** Milliseconds since 1970. */
  lastModified: number | null;
}

/** Compares a header's time with when its file was last changed, which a card's clock has in the camera's zone. */
function compareWithChange(createdAt: number, { header, lastModified }: Evidence, reader: Reader) {
  if (lastModified === null || !isPlausibleTime(lastModified, reader.now)) return null;
  const clock = lastModified + (offsetAt(reader.zone, lastModified) ?? 0) * 60_000;
  const end = createdAt + (header.seconds ?? 0) * 1000;
  const isDuring = (time: number) => time >= createdAt - SLACK_MS && time <= end + SLACK_MS;
  const date = dateOfClock(clock);
  const today = clockTime({ date: todayOf(reader), seconds: null });
  return {
    date,
    isUtc: isDuring(lastModified),
    isLocal: isDuring(clock),
    isBefore: lastModified < createdAt - SLACK_MS,
    // Copying a file changes it.
    isCopied: clockTime({ date, seconds: null }) >= today - DAY_MS,
  };
}

/**
 * Checks a date by a header's time that should be UTC, but is what the camera's clock showed if the camera doesn't know its
 * time zone. Takes the clock's date, with a warning, if the name has it, if the file was last changed when the clock showed
 * that time, or if the moment in UTC can't be: it's in the future, or after the last change. If only the day of the last
 * change agrees, the date stays and gets the warning.
 * @param utc the finding with the time as UTC
 * @param createdAt milliseconds since 1970
 * @param named dates in the path
 */
export function checkTimeZone(
  utc: Finding,
  createdAt: number,
  evidence: Evidence,
  named: readonly CalendarDate[],
  reader: Reader,
): Finding {
  const date = dateOfClock(createdAt);
  const isNamed = (one: CalendarDate) => named.some((other) => isSame(one, other));
  if (evidence.header.isUtc || isSame(date, utc.date) || isNamed(utc.date)) return utc;
  const change = compareWithChange(createdAt, evidence, reader);
  if (change?.isUtc) return utc;
  const isChangedThen = change !== null && isSame(change.date, date);
  const isImpossible = createdAt > reader.now + SLACK_MS || (isChangedThen && change.isBefore);
  if (isNamed(date) || change?.isLocal || isImpossible) {
    const alternatives = [utc.date, ...utc.alternatives].filter((other) => !isSame(other, date));
    return {
      ...utc,
      date,
      alternatives,
      warning: WARNINGS.local,
      startedAt: instantOf(reader.zone, createdAt),
    };
  }
  if (!isChangedThen || change.isCopied) return utc;
  return { ...utc, alternatives: [...utc.alternatives, date], warning: WARNINGS.local };
}
