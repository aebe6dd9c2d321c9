import { date, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { timestamptz } from './columns';
import { entryColumn } from './entries';
import { imports } from './imports';

/** What is known about entries that were imported, to recognize them when they're imported again, and to undo it. */
export const importedEntries = pgTable(
  'imported_entries',
  {
    entryId: entryColumn().primaryKey(),
    /** Null if it was imported before imports could be undone. */
    importId: uuid('import_id').references(() => imports.id, { onDelete: 'set null' }),
    /** The entry's id in Daylight's archive; null for clips from elsewhere. */
    sourceId: text('source_id'),
    /** What the browser calls a clip from elsewhere within its import; null for entries of Daylight's archives. */
    clipId: text('clip_id'),
    /**
     * The SHA-256 of the video in hex, as the browser claimed it; null for clips. `entry_files` has the real one once it's
     * computed.
     */
    sha256: text(),
    /** The date that it was imported with, since its owner may have changed it here. */
    date: date({ mode: 'string' }).notNull(),
    /** When a clip was recorded; null if that isn't known. */
    recordedAt: timestamptz('recorded_at'),
    /** A title that the first words replace, unless it was changed; null if they don't. */
    placeholderTitle: text('placeholder_title'),
    /** A SHA-256 of everything else that's imported with it, in hex. */
    content: text().notNull(),
  },
  (table) => [
    index('imported_entries_sha256').on(table.sha256),
    // Also finds all entries of an import.
    uniqueIndex('imported_entries_clip').on(table.importId, table.clipId),
  ],
);
