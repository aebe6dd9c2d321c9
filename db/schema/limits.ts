import { bigint, index, integer, pgTable, text } from 'drizzle-orm/pg-core';

/**
 * Attempt counters. Don't reorder the columns: rate-limiter-flexible inserts by position. Keys are keyed hashes, so
 * the table doesn't reveal anyone's address.
 */
export const rateLimits = pgTable(
  'rate_limits',
  {
    key: text().primaryKey(),
    points: integer().notNull().default(0),
    /** When the window ends, in milliseconds since 1970. */
    expire: bigint({ mode: 'number' }),
  },
  (table) => [index('rate_limits_expire').on(table.expire)],
);
