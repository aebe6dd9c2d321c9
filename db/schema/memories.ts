import { sql } from 'drizzle-orm';
import { check, date, pgTable, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { users } from './accounts';
import { moment } from './columns';
import { entries, tags } from './entries';

/** What somebody does not want to be reminded of: an entry, all with a tag, or all of a day. One of the three each. */
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
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('hidden_memories_entry').on(table.entryId),
    uniqueIndex('hidden_memories_tag').on(table.tagId),
    uniqueIndex('hidden_memories_date').on(table.userId, table.date),
    check('hidden_memories_one', sql`num_nonnulls(${table.entryId}, ${table.tagId}, ${table.date}) = 1`),
  ],
);
