import { jsonb, pgTable, uuid } from 'drizzle-orm/pg-core';
import { entries } from './entries';
import type { StoredWord } from './transcripts';

/**
 * The sentence that stands for an entry in the timeline and among memories. It's picked from the transcript when it's
 * first shown. A trigger deletes it whenever the transcript changes, so that it's picked again.
 */
export const highlights = pgTable('highlights', {
  entryId: uuid('entry_id')
    .primaryKey()
    .references(() => entries.id, { onDelete: 'cascade' }),
  /** Empty if the transcript has no sentence worth quoting. */
  words: jsonb().$type<StoredWord[]>().notNull(),
});
