import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { timestamptz } from './columns';

/** What must happen after a commit: Inngest events and emails, until their service has acknowledged them. */
export const outbox = pgTable(
  'outbox',
  {
    /** Also the idempotency key at the service, so a row that's sent twice takes effect once. */
    id: text().primaryKey(),
    kind: text({ enum: ['event', 'mail'] }).notNull(),
    /** JSON as text, because jsonb rejects NUL. */
    payload: text().notNull(),
    attempts: integer().notNull().default(0),
    dueAt: timestamptz('due_at').notNull().defaultNow(),
    createdAt: timestamptz('created_at').notNull().defaultNow(),
    /** The service rejected it permanently. Kept so that someone can look into it. */
    dead: boolean().notNull().default(false),
  },
  (table) => [index('outbox_due').on(table.kind, table.dueAt).where(sql`not ${table.dead}`)],
);
