import { bigint, index, integer, jsonb, pgTable } from 'drizzle-orm/pg-core';
import { ownerColumn } from './accounts';
import { timestamptz } from './columns';

/** Accounts that their owners asked to delete. The row is deleted along with the account. */
export const accountDeletions = pgTable(
  'account_deletions',
  {
    userId: ownerColumn().primaryKey(),
    requestedAt: timestamptz('requested_at').notNull().defaultNow(),
    /** When erasure may start. Until it has started, the owner can cancel. */
    erasesAt: timestamptz('erases_at').notNull(),
    /** When erasure started; null before. It doesn't stop after that. */
    startedAt: timestamptz('started_at'),
    /** How much of each kind the account had when erasure started, for the receipt. */
    counts: jsonb().$type<Record<string, number>>(),
    /** What storage held before any of it was deleted; null until that was counted. */
    objects: integer(),
    bytes: bigint({ mode: 'number' }),
    /** When the last presigned upload address has expired; null if none was in use. */
    uploadsExpireAt: timestamptz('uploads_expire_at'),
  },
  (table) => [index('account_deletions_due').on(table.erasesAt)],
);
