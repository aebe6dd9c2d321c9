import { and, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { preparedStatement } from '@/db/prepared';
import { entries } from '@/db/schema/entries';
import type { TimelineDay } from '@/lib/journal/timeline/contract';
import { listed } from './queries';
import { addDays, type CalendarDate, readDate, toIso } from './shared/calendar';

const seconds = sql<number>`coalesce(sum(${entries.durationMs}), 0)::float8 / 1000`;

/** How much was recorded on a day (`YYYY-MM-DD`). */
export type DaySeconds = Pick<TimelineDay, 'day' | 'seconds'>;

const daySecondsStatement = preparedStatement((connection) =>
  connection
    .select({
      day: entries.date,
      seconds,
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

/** How many days count as recent. */
const RECENT_DAYS = 90;

/** What a journal adds up to, and how fast it grows. */
export interface Pace {
  /** Years that have entries, oldest first. */
  years: { year: number; seconds: number }[];
  /** The last 90 days, or fewer if the journal is younger. */
  recent: { days: number; entries: number; seconds: number };
}

const daysBetween = (from: CalendarDate, to: CalendarDate): number =>
  Math.round((Date.parse(toIso(to)) - Date.parse(toIso(from))) / 86_400_000);

/** Returns how much was recorded in each year, and recently. Reads only the index `entries_minutes`. */
export async function readPace(userId: string, today: CalendarDate): Promise<Pace> {
  const since = toIso(addDays(today, 1 - RECENT_DAYS));
  const year = sql<number>`extract(year from ${entries.date})::int`;
  const [years, [recent]] = await Promise.all([
    db()
      .select({ year, seconds, first: sql<string>`min(${entries.date})` })
      .from(entries)
      .where(listed(userId))
      .groupBy(year)
      .orderBy(year),
    db()
      .select({ entries: sql<number>`count(*)::int`, seconds })
      .from(entries)
      .where(and(listed(userId), sql`${entries.date} between ${since}::date and ${toIso(today)}::date`)),
  ]);
  const first = years[0]?.first;
  const age = first ? Math.max(0, daysBetween(readDate(first), today)) + 1 : 0;
  return {
    years: years.map(({ year: number, seconds: sum }) => ({ year: number, seconds: sum })),
    recent: {
      days: Math.min(RECENT_DAYS, age),
      entries: recent?.entries ?? 0,
      seconds: recent?.seconds ?? 0,
    },
  };
}
