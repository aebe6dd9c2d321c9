import { z } from 'zod';
import { fromIso, fromParts, isWithinPast100Years, latestToday } from './shared/calendar';

export const calendarDate = z
  .object({
    day: z.int().min(1).max(31).meta({ example: 1 }),
    month: z.int().min(1).max(12).meta({ example: 3 }),
    year: z.int().min(1).max(9999).meta({ example: 2026 }),
  })
  .meta({ id: 'CalendarDate', description: 'A date without a time zone.' });

/** A day as `YYYY-MM-DD`. */
export const isoDay = z.string().refine((day) => fromIso(day) !== null, 'Enter the date as YYYY-MM-DD.');

const UNREADABLE = 'Invalid date. Must be in MM/DD/YYYY format.';
const OUT_OF_RANGE = 'Invalid date. Must be in the past 100 years.';

/** `YYYY-MM-DD` or `{day, month, year}`; no later than today in UTC+14, and no more than 100 years ago. */
export const entryDate = z
  .union([z.string().meta({ format: 'date' }), calendarDate], UNREADABLE)
  .transform((value, context) => {
    const date = typeof value === 'string' ? fromIso(value) : fromParts(value);
    if (!date) context.addIssue({ code: 'custom', message: UNREADABLE });
    else if (!isWithinPast100Years(date, latestToday()))
      context.addIssue({ code: 'custom', message: OUT_OF_RANGE });
    return date ?? z.NEVER;
  })
  .meta({ description: 'No later than today anywhere on earth, and no more than 100 years ago.' });
