import { bigint, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { users } from './accounts';
import { timestamptz } from './columns';
import { entries } from './entries';

/** Multipart uploads. Storage tracks which parts have arrived. */
export const uploads = pgTable(
  'uploads',
  {
    entryId: uuid('entry_id')
      .primaryKey()
      .references(() => entries.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Chosen by the browser, so that a repeated request doesn't reserve twice. */
    clientId: uuid('client_id').notNull(),
    /** Storage's id for the multipart upload; null before the first part, and after storage has lost it. */
    multipartId: text('multipart_id'),
    /** Total bytes; null during a recording. */
    size: bigint({ mode: 'number' }),
    /** When the browser last made a request. */
    activeAt: timestamptz('active_at').notNull().defaultNow(),
  },
  (table) => [unique('uploads_client').on(table.userId, table.clientId)],
);
