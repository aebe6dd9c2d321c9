import { sql } from 'drizzle-orm';
import { boolean, check, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { timestamptz } from './columns';

/** How far the site's setup is: one row, which the migration inserts. A trigger ends it with the first account. */
export const setup = pgTable(
  'setup',
  {
    /** Always true, so that there's never a second row. */
    id: boolean().primaryKey().default(true),
    /** Argon2id of the code that `npm run db:migrate` printed, in PHC string format; null before and after. */
    codeHash: text('code_hash'),
    /** Wrong codes since the last time that setup was closed, and those that are being checked. */
    tries: integer().notNull().default(0),
    /** Until when no code is checked; in the past, or null, while codes are. */
    closedUntil: timestamptz('closed_until'),
    /** When there was a first account. It stays when that account is deleted. */
    endedAt: timestamptz('ended_at'),
  },
  (table) => [check('setup_one_row', sql`${table.id}`)],
);
