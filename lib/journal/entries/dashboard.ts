import type { EntrySummary } from './contract';
import { selectDaySeconds } from './day-seconds';
import { countEntries, selectJournalDays } from './months';
import { presentSummary, selectSummaries } from './service';
import { type CalendarDate, readDate, toIso } from './shared/calendar';
import { countStreak } from './streak';
import { selectDistinctiveWord, selectRecentTag } from './topic-queries';

/** The newest six entries and the journal's figures. */
export async function dashboard(userId: string): Promise<{
  entries: EntrySummary[];
  stats: { totalEntries: number; recentTopic: string };
}> {
  const [rows, totalEntries, recentTag] = await Promise.all([
    selectSummaries(userId, { limit: 6 }),
    countEntries(userId),
    selectRecentTag(userId),
  ]);
  const recentTopic = recentTag ?? (totalEntries > 0 ? await selectDistinctiveWord(userId) : null) ?? '';
  return { entries: rows.map(presentSummary), stats: { totalEntries, recentTopic } };
}

export interface YearActivity {
  /** The first day, `YYYY-MM-DD`, a Sunday; 53 weeks end with this one. */
  from: string;
  /** How many seconds were recorded on each day, from the first one up to today; null on days without an entry. */
  days: (number | null)[];
  /** Days in a row, up to today, however many. */
  streak: number;
  /** Words said in all entries. */
  words: number;
}

const DAY = 86_400_000;
const WEEKS = 53;

/** The last year, day by day, as seen from today where the person is, with what the whole journal comes to. */
export async function getYearActivity(userId: string, today: CalendarDate): Promise<YearActivity> {
  const to = Date.parse(toIso(today)) / DAY;
  const from = to - (new Date(to * DAY).getUTCDay() + (WEEKS - 1) * 7);
  const first = new Date(from * DAY).toISOString().slice(0, 10);
  const [{ days, words }, recorded] = await Promise.all([
    selectJournalDays(userId),
    selectDaySeconds(userId, first, toIso(today)),
  ]);
  const seconds = new Map(recorded.map((row) => [Date.parse(row.day) / DAY, row.seconds]));
  return {
    from: first,
    days: Array.from({ length: to - from + 1 }, (_, index) => seconds.get(from + index) ?? null),
    streak: countStreak(to, days),
    words,
  };
}

/** Names of zones also come from cookies, and each can be spelled in many ways. */
const MAX_FORMATS = 100;
/** By time zone, because making one takes a page longer than anything else that it formats. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** @throws RangeError if there's no such zone */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-CA', {
    ...{ timeZone, year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', hourCycle: 'h23' },
  });
  if (formats.size >= MAX_FORMATS) formats.clear();
  formats.set(timeZone, format);
  return format;
}

/** Returns what clocks show in a time zone of IANA's, as `2026-01-31, 23`; in UTC where there is no such zone. */
function readClock(timeZone: string | undefined, now: Date): string {
  try {
    return formatOf(timeZone || 'UTC').format(now);
  } catch {
    return formatOf('UTC').format(now);
  }
}

/** Today in a time zone of IANA's; in UTC where there is no such zone. */
export const todayIn = (timeZone: string | undefined, now = new Date()): CalendarDate =>
  readDate(readClock(timeZone, now).slice(0, 10));

/** The hour from 0 to 23 in a time zone of IANA's; in UTC where there is no such zone. */
export const hourIn = (timeZone: string | undefined, now = new Date()): number =>
  Number(readClock(timeZone, now).slice(-2));
