import { sql } from 'drizzle-orm';
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
import { ownerColumn } from './accounts';
import { timestamptz } from './columns';
import { entryColumn } from './entries';

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/**
 * The search index, one row for each entry that lists show. Triggers update it in the transaction of every change, so
 * nothing else writes to it. migrations/0001_search.sql defines them and describes the vector.
 */
export const entrySearch = pgTable(
  'entry_search',
  {
    entryId: entryColumn().primaryKey(),
    userId: uuid('user_id').notNull(),
    date: date({ mode: 'string' }).notNull(),
    createdAt: timestamptz('created_at').notNull(),
    vector: tsvector().notNull(),
    /** The number of words in the transcript. */
    words: integer().notNull().default(0),
    /** Which revision of the functions wrote the vector. Those of earlier ones are written again by a job. */
    revision: smallint().notNull().default(0),
  },
  (table) => [
    // Without a pending list, because every search would scan it.
    index('entry_search_vector').using('gin', table.vector).with({ fastupdate: false }),
    // For the job that looks for them.
    index('entry_search_outdated').on(table.entryId).where(sql`${table.revision} < 1`),
  ],
);

/**
 * The words that an account's entries use in a year, to correct typos in searches. Triggers count the entries that
 * contain each word, delete a word along with the last one, and all of them along with the account: a foreign key would
 * look up the account for each of tens of thousands of words.
 */
export const searchWords = pgTable(
  'search_words',
  {
    userId: uuid('user_id').notNull(),
    year: smallint().notNull(),
    word: text().notNull(),
    /** How many of that year's entries contain it, at least 1. */
    entries: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.year, table.word] })],
);

/**
 * Counts per month of a journal, so that totals, the year overview, and page offsets read one row per month instead
 * of one per entry. Triggers update it from the rows of `entry_search`.
 */
export const journalMonths = pgTable(
  'journal_months',
  {
    userId: ownerColumn(),
    /** Twelve times the year, plus 0 for January to 11 for December. */
    month: integer().notNull(),
    entries: integer().notNull(),
    /** The number of entries on each day, starting with the 1st; always 31 numbers. */
    days: integer().array().notNull(),
    /** The number of words in the transcripts. */
    words: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.month] })],
);
