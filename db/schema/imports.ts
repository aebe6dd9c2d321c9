import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { ownerColumn } from './accounts';
import { timestamptz } from './columns';

/** Imports that people have started, so that each can be undone. Rows name the import that added them. */
export const imports = pgTable(
  'imports',
  {
    id: uuid().primaryKey(),
    userId: ownerColumn(),
    /** What was chosen: videos, a Google Takeout, a Day One export, or an archive of Daylight. */
    kind: text({ enum: ['files', 'takeout', 'day_one', 'daylight'] }).notNull(),
    /** The name of the file or folder that was chosen. */
    name: text().notNull(),
    createdAt: timestamptz('created_at').notNull().defaultNow(),
    /** When its undo began. Nothing is added to it from then on. */
    undoneAt: timestamptz('undone_at'),
    /** When its undo was complete. Entries that are restored after that stay. */
    undoFinishedAt: timestamptz('undo_finished_at'),
  },
  (table) => [index('imports_newest').on(table.userId, table.createdAt)],
);
