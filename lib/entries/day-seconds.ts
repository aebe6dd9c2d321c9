import { and, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { listed } from './queries';

/** How much was recorded on a day. */
export interface DaySeconds {
  /** `YYYY-MM-DD`. */
  day: string;
  seconds: number;
}

/**
 * Returns the days from one to another, both included (`YYYY-MM-DD`), that have entries, oldest first. Reads only the
 * index `entries_minutes`.
 */
export async function selectDaySeconds(userId: string, from: string, to: string): Promise<DaySeconds[]> {
  return db()
    .select({
      day: entries.date,
      seconds: sql<number>`coalesce(sum(${entries.durationMs}), 0)::float8 / 1000`,
    })
    .from(entries)
    .where(and(listed(userId), sql`${entries.date} between ${from}::date and ${to}::date`))
    .groupBy(entries.date)
    .orderBy(entries.date)
    .prepare('day seconds')
    .execute();
}
