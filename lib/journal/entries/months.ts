import { and, desc, eq, gt, sql } from 'drizzle-orm';
import { preparedStatement } from '@/db/prepared';
import { journalMonths } from '@/db/schema/search';

const DAY = 86_400_000;

/** Entries in a month. */
export interface MonthCount {
  /** Twelve times the year, and from 0 for January. */
  month: number;
  entries: number;
}

/** The number of a month written as `YYYY-MM`. */
export function monthNumber(month: string): number {
  const [year, number] = month.split('-').map(Number);
  return (year ?? 0) * 12 + (number ?? 1) - 1;
}

/** Returns the numbers of the first month of a month (`YYYY-MM`) or year (`YYYY`), and of the first one after it. */
export function monthsIn(period: string): { from: number; to: number } {
  const isYear = period.length === 4;
  const from = monthNumber(isYear ? `${period}-01` : period);
  return { from, to: from + (isYear ? 12 : 1) };
}

/** A month by its number as `YYYY-MM`. */
export const monthText = (month: number): string => firstOf(month).toISOString().slice(0, 7);

/** The first day of a month by its number, as `YYYY-MM-DD`. */
export const firstDay = (month: number): string => firstOf(month).toISOString().slice(0, 10);

const firstOf = (month: number) => new Date(Date.UTC(Math.floor(month / 12), month % 12, 1));

const nonEmptyMonths = and(eq(journalMonths.userId, sql.placeholder('userId')), gt(journalMonths.entries, 0));

const monthCountsStatement = preparedStatement((connection) =>
  connection
    .select({ month: journalMonths.month, entries: journalMonths.entries })
    .from(journalMonths)
    .where(nonEmptyMonths)
    .orderBy(desc(journalMonths.month))
    .prepare('month counts'),
);

/** The months that have entries, newest first: a row for each, however many entries there are. */
export async function selectMonthCounts(userId: string): Promise<MonthCount[]> {
  return monthCountsStatement().execute({ userId });
}

/** Adds up entries. */
export const sumEntries = (counts: readonly { entries: number }[]): number =>
  counts.reduce((sum, { entries }) => sum + entries, 0);

export const countEntries = async (userId: string): Promise<number> =>
  sumEntries(await selectMonthCounts(userId));

const journalDaysStatement = preparedStatement((connection) =>
  connection
    .select({ month: journalMonths.month, days: journalMonths.days, words: journalMonths.words })
    .from(journalMonths)
    .where(nonEmptyMonths)
    .prepare('journal days'),
);

/**
 * The days of a journal and how much was said on all of them together.
 * @returns for each day that has entries, by days since 1970, how many
 */
export async function selectJournalDays(
  userId: string,
): Promise<{ days: Map<number, number>; words: number }> {
  const rows = await journalDaysStatement().execute({ userId });
  const days = new Map<number, number>();
  let words = 0;
  for (const row of rows) {
    const first = firstOf(row.month).getTime() / DAY;
    for (const [index, entries] of row.days.entries()) if (entries > 0) days.set(first + index, entries);
    words += row.words;
  }
  return { days, words };
}
