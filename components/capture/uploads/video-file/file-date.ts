import {
  type CalendarDate,
  fromIso,
  isWithinPast100Years,
  localToday,
} from '@/lib/journal/entries/shared/calendar';
import { resolveClipDate } from './clip-date';
import type { VideoHeader } from './video-header';

const plausibleDate = (date: CalendarDate | null) =>
  date && isWithinPast100Years(date, localToday()) && date.year >= 1970 ? date : null;

/**
 * Guesses the day a video was recorded from its metadata or its name, as imports do.
 * @returns null if neither has a date
 */
export function getRecordedDate(
  header: VideoHeader,
  { name, lastModified }: Pick<File, 'name' | 'lastModified'>,
): CalendarDate | null {
  const { date, source } = resolveClipDate(
    { sidecar: null, header, location: header.location, path: name, lastModified },
    { zone: Intl.DateTimeFormat().resolvedOptions().timeZone, now: Date.now() },
  );
  return date === null || source === 'modified' ? null : plausibleDate(fromIso(date));
}

/** Returns the day a file was last modified, as a fallback. */
export const getModifiedDate = (file: File): CalendarDate =>
  plausibleDate(localToday(new Date(file.lastModified))) ?? localToday();

const CAMERA_NAME =
  /^(vid|video|img|mov|mvi|pxl|dsc|dscf|dscn|dji|gopr|gx|gh|wa|whatsapp|signal|telegram|snapchat|1se|trim|edited|screen|recording|clip|\d+|at|am|pm)$/i;
const NUMBERED = /^[a-z]{0,4}\d{4,}[a-z]?$/i;
const MONTH = /^(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*$/i;
const NUMBER = /^\d+(st|nd|rd|th)?,?$/i;
const LONG_DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

const isNumeric = (word = '') => NUMBER.test(word) || NUMBERED.test(word);

/** Whether a number belongs to the word before it, as in `Episode 5`, rather than to a date. */
function isCount(words: readonly string[], at: number): boolean {
  const [before = '', word = '', after = ''] = [words[at - 1], words[at], words[at + 1]];
  const isNamed = before !== '' && !CAMERA_NAME.test(before) && !isNumeric(before) && !MONTH.test(before);
  return /^\d{1,3}$/.test(word) && isNamed && !isNumeric(after) && !MONTH.test(after);
}

/** Returns a file's name without what cameras put there and without dates; null if nothing is left. */
export function findTellingName(name: string): string | null {
  const words = name
    .normalize('NFC')
    .replace(/\.[a-z0-9]{2,4}$/i, '')
    // What browsers add to a second download.
    .replace(/ ?\(\d+\)$/, '')
    .split(/[\s_.()-]+/)
    .filter(Boolean);
  const isInDate = (at: number) => NUMBER.test(words[at - 1] ?? '') || NUMBER.test(words[at + 1] ?? '');
  const isTelling = (word: string, at: number) =>
    isCount(words, at) ||
    (!CAMERA_NAME.test(word) && !isNumeric(word) && !(MONTH.test(word) && isInDate(at)));
  const title = words.filter(isTelling).join(' ').slice(0, 200);
  return title ? title.charAt(0).toUpperCase() + title.slice(1) : null;
}

/** Returns the title of a video of which only the day is known. */
export const untitled = ({ year, month, day }: CalendarDate) =>
  `Video from ${LONG_DATE.format(Date.UTC(year, month - 1, day))}`;

/** Suggests a title: the file name without what cameras put there, or else the day. */
export const titleFromName = (name: string, date: CalendarDate): string =>
  findTellingName(name) ?? untitled(date);
