import { date, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { ownerColumn } from './accounts';
import { timestamptz } from './columns';

/** The daily reminder by email. An account has a row once its owner has turned reminders on or off. */
export const reminders = pgTable(
  'reminders',
  {
    userId: ownerColumn().primaryKey(),
    /** From 0 to 23, in `timeZone`. */
    hour: integer().notNull(),
    /** A name of the IANA time zone database. */
    timeZone: text('time_zone').notNull(),
    /** When the next one is due; null while reminders are off. */
    dueAt: timestamptz('due_at'),
    /** The date, in the time zone it was sent in, of the newest reminder; null before the first. */
    sentOn: date('sent_on', { mode: 'string' }),
  },
  (table) => [index('reminders_due').on(table.dueAt)],
);

/** The weekly letter by email, on Sundays. An account has a row once its owner has turned it on or off. */
export const weeklyLetters = pgTable(
  'weekly_letters',
  {
    userId: ownerColumn().primaryKey(),
    /** A name of the IANA time zone database. */
    timeZone: text('time_zone').notNull(),
    /** When the next one is due; null while the letter is off. */
    dueAt: timestamptz('due_at'),
    /** The Sunday, in the time zone it was sent in, of the newest letter; null before the first. */
    sentOn: date('sent_on', { mode: 'string' }),
    /** Until when one process writes and sends it; a later one may take over after that. */
    leasedUntil: timestamptz('leased_until'),
  },
  (table) => [index('weekly_letters_due').on(table.dueAt)],
);
