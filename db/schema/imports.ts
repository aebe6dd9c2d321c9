import { date, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { entries } from './entries';

/** What is known about entries that were imported from an archive, to recognize them when it's imported again. */
export const importedEntries = pgTable(
  'imported_entries',
  {
    entryId: uuid('entry_id')
      .primaryKey()
      .references(() => entries.id, { onDelete: 'cascade' }),
    /** The entry's id in the archive. */
    sourceId: text('source_id').notNull(),
    /** The SHA-256 of the video in hex, as the browser claimed it. `entry_files` has the real one once it's computed. */
    sha256: text().notNull(),
    /** The entry's date in the archive, since its owner may have changed it here. */
    date: date({ mode: 'string' }).notNull(),
    /** A SHA-256 of everything else that's imported with it, in hex. */
    content: text().notNull(),
  },
  (table) => [index('imported_entries_sha256').on(table.sha256)],
);
