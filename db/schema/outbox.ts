import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from './columns';

/** What must happen after a commit: an Inngest event or a mail, kept until its service has acknowledged it. */
export const outbox = pgTable(
  'outbox',
  {
    /** Also the idempotency key at the service: sending twice is once. */
    id: text().primaryKey(),
    kind: text({ enum: ['event', 'mail'] }).notNull(),
    /** JSON as text, not jsonb, which refuses NUL. */
    payload: text().notNull(),
    attempts: integer().notNull().default(0),
    dueAt: moment('due_at').notNull().defaultNow(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** The service refuses it for good; kept for a person to look at. */
    dead: boolean().notNull().default(false),
  },
  (table) => [index('outbox_due').on(table.kind, table.dueAt).where(sql`not ${table.dead}`)],
);
