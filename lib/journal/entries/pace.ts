import { and, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { listed } from './queries';
import { addDays, type CalendarDate, readDate, toIso } from './shared/calendar';

/** How many days count as recent. */
const RECENT_DAYS = 90;

/** What a journal adds up to, and how fast it grows. */
export interface Pace {
  /** Years that have entries, oldest first. */
  years: { year: number; seconds: number }[];
  /** The last 90 days, or fewer if the journal is younger. */
  recent: { days: number; entries: number; seconds: number };
}

const seconds = sql<number>`coalesce(sum(${entries.durationMs}), 0)::float8 / 1000`;

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
