import { and, sql } from 'drizzle-orm';
import { preparedStatement } from '@/db/prepared';
import { entries } from '@/db/schema/entries';
import { listed } from './queries';

/** How much was recorded on a day. */
export interface DaySeconds {
  /** `YYYY-MM-DD`. */
  day: string;
  seconds: number;
}

const daySecondsStatement = preparedStatement((connection) =>
  connection
    .select({
      day: entries.date,
      seconds: sql<number>`coalesce(sum(${entries.durationMs}), 0)::float8 / 1000`,
    })
    .from(entries)
    .where(
      and(
        listed(sql.placeholder('userId')),
        sql`${entries.date} between ${sql.placeholder('from')}::date and ${sql.placeholder('to')}::date`,
      ),
    )
    .groupBy(entries.date)
    .orderBy(entries.date)
    .prepare('day seconds'),
);

/**
 * Returns the days from one to another, both included (`YYYY-MM-DD`), that have entries, oldest first. Reads only the
 * index `entries_minutes`.
 */
export async function selectDaySeconds(userId: string, from: string, to: string): Promise<DaySeconds[]> {
  return daySecondsStatement().execute({ userId, from, to });
}
