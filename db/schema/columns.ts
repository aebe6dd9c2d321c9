import { timestamp } from 'drizzle-orm/pg-core';

/** A point in time, to the millisecond, as JavaScript's own Date keeps it. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
