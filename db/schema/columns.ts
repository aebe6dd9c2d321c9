import { timestamp } from 'drizzle-orm/pg-core';

/** A point in time to the millisecond, the precision of JavaScript's Date. */
export const timestamptz = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
