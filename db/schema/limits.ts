import { bigint, index, integer, pgTable, text } from 'drizzle-orm/pg-core';

/**
 * Counters of tries. rate-limiter-flexible fills the columns in this order, by position: keep it.
 * The key is a keyed hash, so that the table shows nobody's address.
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
