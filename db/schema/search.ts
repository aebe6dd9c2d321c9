import {
  bigint,
  customType,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { users } from './accounts';
import { timestamptz } from './columns';
import { entries } from './entries';

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/**
 * The search index, one row for each entry that lists show. Triggers update it in the transaction of every change, so
 * nothing else writes to it. migrations/0001_search.sql defines them and describes the vector.
 */
export const entrySearch = pgTable(
  'entry_search',
  {
    entryId: uuid('entry_id')
      .primaryKey()
      .references(() => entries.id, { onDelete: 'cascade' }),
    userId: uuid('user_id').notNull(),
    date: date({ mode: 'string' }).notNull(),
    createdAt: timestamptz('created_at').notNull(),
    vector: tsvector().notNull(),
    /** How many words the transcript has. */
    words: integer().notNull().default(0),
  },
  (table) => [
    // Without a pending list, because every search would scan it.
    index('entry_search_vector').using('gin', table.vector).with({ fastupdate: false }),
  ],
);

/**
 * The words that an account's entries use in a year, to correct typos in searches. Triggers count the entries that have
 * each word, and delete the word along with the last of them.
 */
export const searchWords = pgTable(
  'search_words',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    year: smallint().notNull(),
    word: text().notNull(),
    /** How many entries of that year have it, at least 1. */
    entries: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.year, table.word] })],
);

/**
 * Counts for each month of a journal, so that totals, the year at a glance, and page offsets cost one row for each month
 * and not for each entry. Triggers update it from the rows of `entry_search`.
 */
export const journalMonths = pgTable(
  'journal_months',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Twelve times the year, plus 0 for January to 11 for December. */
    month: integer().notNull(),
    entries: integer().notNull(),
    /** Entries on each day from the 1st; always 31 numbers. */
    days: integer().array().notNull(),
    /** How many words the transcript has. */
    words: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.month] })],
);
