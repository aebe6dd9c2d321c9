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
import { moment } from './columns';
import { entries } from './entries';

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/**
 * What can be found, one row for each entry that lists show. Triggers keep it, in the transaction of whatever it
 * indexes (migrations/*_search.sql says how, and what is in the vector), so nothing else writes to it.
 */
export const entrySearch = pgTable(
  'entry_search',
  {
    entryId: uuid('entry_id')
      .primaryKey()
      .references(() => entries.id, { onDelete: 'cascade' }),
    userId: uuid('user_id').notNull(),
    date: date({ mode: 'string' }).notNull(),
    createdAt: moment('created_at').notNull(),
    vector: tsvector().notNull(),
    /** How many words were said. */
    words: integer().notNull().default(0),
  },
  (table) => [
    // Without a pending list, whose length every search would pay for.
    index('entry_search_vector').using('gin', table.vector).with({ fastupdate: false }),
  ],
);

/**
 * The words that an account's entries use in a year, which mistyped words are compared with. Triggers count in how many
 * entries each one is, so that a word leaves with the last entry that has it (migrations/*_search_word_counts.sql).
 */
export const searchWords = pgTable(
  'search_words',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    year: smallint().notNull(),
    word: text().notNull(),
    /** How many entries of that year have it; never 0. */
    entries: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.year, table.word] })],
);

/**
 * What each month of a journal holds, so that figures, the year at a glance and the places where pages begin are read
 * from a row for each month, however many entries there are. Triggers keep it as they keep `entry_search`, whose rows
 * it counts (migrations/*_journal_months.sql).
 */
export const journalMonths = pgTable(
  'journal_months',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Twelve times the year, and from 0 for January. */
    month: integer().notNull(),
    entries: integer().notNull(),
    /** Entries of each of its days, from the first; always 31. */
    days: integer().array().notNull(),
    /** How many words were said. */
    words: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.month] })],
);
