import { sql } from 'drizzle-orm';
import { check, date, pgTable, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { users } from './accounts';
import { timestamptz } from './columns';
import { entries, tags } from './entries';

/** What a user doesn't want to be reminded of. Each row has exactly one of an entry, a tag, or a day. */
export const hiddenMemories = pgTable(
  'hidden_memories',
  {
    id: uuid().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    entryId: uuid('entry_id').references(() => entries.id, { onDelete: 'cascade' }),
    tagId: uuid('tag_id').references(() => tags.id, { onDelete: 'cascade' }),
    date: date({ mode: 'string' }),
    createdAt: timestamptz('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('hidden_memories_entry').on(table.entryId),
    uniqueIndex('hidden_memories_tag').on(table.tagId),
    uniqueIndex('hidden_memories_date').on(table.userId, table.date),
    check('hidden_memories_one', sql`num_nonnulls(${table.entryId}, ${table.tagId}, ${table.date}) = 1`),
  ],
);
