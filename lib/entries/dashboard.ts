import { type CalendarDate, fromIso, toIso } from './calendar';
import type { EntrySummary } from './contract';
import { countEntries, selectJournalDays } from './months';
import { presentSummary, selectSummaries } from './service';
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
  /** How many entries each day has, from the first one up to today. */
  counts: number[];
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
  const { days, words } = await selectJournalDays(userId);
  return {
    from: new Date(from * DAY).toISOString().slice(0, 10),
    counts: Array.from({ length: to - from + 1 }, (_, index) => days.get(from + index) ?? 0),
    streak: countStreak(to, days),
    words,
  };
}

/** Today in a time zone of IANA's; in UTC where there is no such zone. */
export function todayIn(timeZone: string | undefined, now = new Date()): CalendarDate {
  const read = (zone: string) =>
    fromIso(
      new Intl.DateTimeFormat('en-CA', {
        timeZone: zone,
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
      }).format(now),
    );
  try {
    return (timeZone && read(timeZone)) || todayIn('UTC', now);
  } catch {
    return todayIn('UTC', now);
  }
}
