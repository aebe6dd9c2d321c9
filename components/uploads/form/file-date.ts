import { type CalendarDate, fromParts, isWithinPast100Years, localToday } from '@/lib/entries/calendar';
import { readVideoHeader } from './video-header';

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
  const { createdAt } = await readVideoHeader(file);
  const recorded = createdAt === null ? null : plausibleDate(localToday(new Date(createdAt)));
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
