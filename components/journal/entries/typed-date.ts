import {
  type CalendarDate,
  isWithinPast100Years,
  localToday,
  parseUsDate,
} from '@/lib/journal/entries/shared/calendar';

/** Reads the date of an entry typed as MM/DD/YYYY, in the person's own time zone; the server allows for every zone. */
export function readTypedDate(typed: string): { date: CalendarDate } | { error: string } {
  const date = parseUsDate(typed);
  if (!date) return { error: 'Invalid date. Must be in MM/DD/YYYY format.' };
  if (!isWithinPast100Years(date, localToday()))
    return { error: 'Invalid date. Must be in the past 100 years.' };
  return { date };
}
