import { pgTable, text } from 'drizzle-orm/pg-core';
import { ownerColumn } from './accounts';

/** How an account's owner wants to see Daylight. An account has a row once its owner has changed something. */
export const preferences = pgTable('preferences', {
  userId: ownerColumn().primaryKey(),
  theme: text({ enum: ['system', 'light', 'dark'] })
    .notNull()
    .default('system'),
  /** A name of the IANA time zone database; null for whatever the browser's is. */
  timeZone: text('time_zone'),
  firstWeekday: text('first_weekday', { enum: ['sunday', 'monday', 'saturday'] })
    .notNull()
    .default('sunday'),
  dateFormat: text('date_format', { enum: ['MM/DD/YYYY', 'DD/MM/YYYY', 'YYYY-MM-DD', 'MMM D, YYYY'] })
    .notNull()
    .default('MM/DD/YYYY'),
});
