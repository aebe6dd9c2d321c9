import { bigint, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { users } from './accounts';
import { moment } from './columns';
import { entries } from './entries';

/** What is sent to storage in parts; which of them have arrived, storage itself says. */
export const uploads = pgTable(
  'uploads',
  {
    entryId: uuid('entry_id')
      .primaryKey()
      .references(() => entries.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Made by the browser, so that a request that is repeated takes no second slot. */
    clientId: uuid('client_id').notNull(),
    /** Storage's name of the multipart upload; null until the first part, and after storage has lost it. */
    multipartId: text('multipart_id'),
    /** Bytes of the whole; null while a recording is still being made. */
    size: bigint({ mode: 'number' }),
    /** When the browser was last heard of. */
    activeAt: moment('active_at').notNull().defaultNow(),
  },
  (table) => [unique('uploads_client').on(table.userId, table.clientId)],
);
