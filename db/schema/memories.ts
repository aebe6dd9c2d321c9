import { sql } from 'drizzle-orm';
import { check, date, index, pgTable, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { ownerColumn } from './accounts';
import { timestamptz } from './columns';
import { entries, tags } from './entries';
import { imports } from './imports';

/** What a user doesn't want to be reminded of. Each row has exactly one of an entry, a tag, or a day. */
export const hiddenMemories = pgTable(
  'hidden_memories',
  {
    id: uuid().primaryKey(),
    userId: ownerColumn(),
    entryId: uuid('entry_id').references(() => entries.id, { onDelete: 'cascade' }),
    tagId: uuid('tag_id').references(() => tags.id, { onDelete: 'cascade' }),
    date: date({ mode: 'string' }),
    createdAt: timestamptz('created_at').notNull().defaultNow(),
    /** The import that hid this tag or day; null if its owner did. */
    importId: uuid('import_id').references(() => imports.id, { onDelete: 'set null' }),
  },
  (table) => [
    uniqueIndex('hidden_memories_entry').on(table.entryId),
    uniqueIndex('hidden_memories_tag').on(table.tagId),
    uniqueIndex('hidden_memories_date').on(table.userId, table.date),
    index('hidden_memories_import').on(table.importId).where(sql`import_id is not null`),
    check('hidden_memories_one', sql`num_nonnulls(${table.entryId}, ${table.tagId}, ${table.date}) = 1`),
  ],
);
