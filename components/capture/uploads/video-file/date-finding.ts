import { type CalendarDate, compareDates, formatUsDate } from '@/lib/journal/entries/shared/calendar';
import { dateOfClock, isClockReset, offsetAt } from './local-time';

export type DateSource = 'sidecar' | 'metadata' | 'name' | 'folder' | 'modified';

/** Who reads the clips, and when. */
export interface Reader {
  /** The person's time zone, an IANA name. */
  zone: string;
  /** Milliseconds since 1970. */
  now: number;
}

/** A date by one source. */
export interface Finding {
  source: DateSource;
  date: CalendarDate;
  /** Dates that it could be as well. */
  alternatives: CalendarDate[];
  warning: string | null;
  startedAt: number | null;
}

/** What the person should know about a date. */
export const WARNINGS = {
  zone: 'Recorded close to midnight, and the file doesn’t include a time zone.',
  local: 'The camera may not know its time zone, so the date may be a day off.',
  today: 'The file was created today, but the video may be older.',
  clock: 'Cameras use this date when their clock isn’t set.',
  number: 'The number in the file name may not be the day.',
  modified: 'This is when the file was last changed.',
  none: 'No date found. Enter one.',
} as const;

const NAMES: Record<DateSource, string> = {
  sidecar: 'The export',
  metadata: 'The video',
  name: 'The file name',
  folder: 'The folder name',
  modified: 'The file’s last change',
};

export const isSame = (one: CalendarDate, other: CalendarDate) => compareDates(one, other) === 0;
/** Returns the person's today. */
export const todayOf = ({ zone, now }: Reader) => dateOfClock(now + (offsetAt(zone, now) ?? 0) * 60_000);

/** Says that the numbers of a name can be read in another way. */
export const describeAmbiguity = (source: 'name' | 'folder', alternative: CalendarDate): string =>
  `${NAMES[source]} could also mean ${formatUsDate(alternative)}.`;

/** Returns why a date needs a look, by what else was found. */
export function findWarning(
  first: Finding,
  rest: readonly Finding[],
  isChosen: boolean,
  reader: Reader,
): string | null {
  const possible = [first.date, ...first.alternatives];
  const disagreeing = rest.find(
    ({ source, date, alternatives }) =>
      source !== 'modified' &&
      ![date, ...alternatives].some((one) => possible.some((other) => isSame(one, other))),
  );
  if (disagreeing && !isChosen) {
    const { source, date } = disagreeing;
    const [one, other] = [NAMES[first.source], NAMES[source].replace(/^The/, 'the')];
    return `${one} says ${formatUsDate(first.date)}, but ${other} says ${formatUsDate(date)}.`;
  }
  const same = rest.filter(({ source, date }) => source !== 'modified' && isSame(date, first.date));
  // Such a camera may write the time into the name, too, but nobody types it.
  const isTyped = same.some(({ startedAt }) => startedAt === null);
  if (first.startedAt !== null && isClockReset(first.date) && !isTyped && !isChosen) return WARNINGS.clock;
  // Programs that convert videos write when they did.
  const isMadeToday = first.source === 'metadata' && isSame(first.date, todayOf(reader)) && same.length === 0;
  if (isMadeToday) return WARNINGS.today;
  const isSettled = first.source !== 'sidecar' && first.source !== 'metadata' && same.length > 0;
  return isSettled ? null : first.warning;
}
