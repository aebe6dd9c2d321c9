import { bigint, index, integer, pgTable, text } from 'drizzle-orm/pg-core';

/**
 * Counters of attempts. Don't reorder the columns: rate-limiter-flexible inserts by position. Keys are keyed hashes, so
 * the table reveals nobody's address.
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
