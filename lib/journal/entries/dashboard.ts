import { desc, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { db } from '@/db/client';
import { preparedStatement } from '@/db/prepared';
import { entries, entryTags, tags } from '@/db/schema/entries';
import type { dashboardDetails } from './contract';
import { countEntries, selectJournalDays } from './months';
import { selectDaySeconds } from './pace';
import { listed, newestFirst } from './queries';
import { presentSummary, selectSummaries } from './service';
import { type CalendarDate, readDate, toIso } from './shared/calendar';

/** How many of the newest entries say what somebody is busy with. */
const RECENT = 10;
/** How many of their most frequent words are weighed. */
const CANDIDATE_WORDS = 40;
/** Months before the newest entry that say how usual a word is. */
const BASELINE_MONTHS = 12;

const recentTagStatement = preparedStatement((connection) => {
  const recent = connection
    .select({ id: entries.id })
    .from(entries)
    .where(listed(sql.placeholder('userId')))
    .orderBy(...newestFirst)
    .limit(RECENT)
    .as('recent');
  return connection
    .select({ name: tags.name })
    .from(recent)
    .innerJoin(entryTags, eq(entryTags.entryId, recent.id))
    .innerJoin(tags, eq(tags.id, entryTags.tagId))
    .groupBy(tags.id, tags.name)
    .orderBy(desc(sql`count(*)`), tags.name)
    .limit(1)
    .prepare('recent tag');
});

/** The most frequent tag of the last 10 entries; null when they have none. */
async function selectRecentTag(userId: string): Promise<string | null> {
  const [row] = await recentTagStatement().execute({ userId });
  return row?.name ?? null;
}

/**
 * The most telling word of the last 10 transcripts: said often in them, and in few other entries of the year (tf-idf).
 * Null when nothing was said. Stems stand in the index beside their words, so of all that share a stem the most
 * frequent word is taken, and the stem itself only where it was said.
 */
async function selectDistinctiveWord(userId: string): Promise<string | null> {
  const [row] = await db().execute<{ word: string }>(sql`
    with recent as (${db()
      .select({ id: entries.id, date: entries.date })
      .from(entries)
      .where(listed(userId))
      .orderBy(...newestFirst)
      .limit(RECENT)}),
    said as (
      select substr(lexeme, 7) as word, sum(cardinality(positions))::int as times
      from recent join entry_search on entry_search.entry_id = recent.id, unnest(ts_filter(vector, '{c}'))
      group by 1
    ),
    often as (
      select word, times, (tsvector_to_array(to_tsvector('daylight_english', word)))[1] as stem
      from (select * from said where length(word) >= 4 and word !~ '[0-9]' order by times desc, word limit ${CANDIDATE_WORDS * 3}) as most
      where to_tsvector('english', word) <> ''
      order by times desc, word limit ${CANDIDATE_WORDS}
    ),
    families as (
      select distinct on (stem) word, stem, max(times) over (partition by stem) as times
      from often
      order by stem, (word = stem and times <= (select coalesce(sum(other.times), 0) from often other
        where other.stem = often.stem and other.word <> other.stem)), times desc, word
    ),
    latest_year as (
      select array_agg(search_shelf(${userId}, month)) as shelves
      from (select search_month(max(date)) as newest from recent) as latest, generate_series(newest - ${BASELINE_MONTHS - 1}, newest) as month
    ),
    usual as (
      select word, times, search_matches(${userId}, shelves, '''~' || stem || '''') as entries
      from families, latest_year
    )
    select word from usual
    order by times * ln(1 + (select search_matches(${userId}, shelves, '''~*''') from latest_year)
      / greatest(entries, 1)::float) desc, word
    limit 1`);
  return row?.word ?? null;
}

/** The newest six entries and the journal's figures. */
export async function dashboard(userId: string): Promise<z.infer<typeof dashboardDetails.response>> {
  const [rows, totalEntries, recentTag] = await Promise.all([
    selectSummaries(userId, { limit: 6 }),
    countEntries(userId),
    selectRecentTag(userId),
  ]);
  const recentTopic = recentTag ?? (totalEntries > 0 ? await selectDistinctiveWord(userId) : null) ?? '';
  return { entries: rows.map(presentSummary), stats: { totalEntries, recentTopic } };
}

/** One missed day in so many is forgiven. */
const DAYS_PER_FREE_MISS = 7;

/**
 * How many days in a row have an entry, up to today. Today may still come, and one missed day in seven breaks
 * nothing (and counts nothing). Days are calendar dates, counted from 1970, so clocks that change make no difference.
 * @param today where the person is
 * @param days those that have entries
 */
export function countStreak(today: number, days: { has(day: number): boolean }): number {
  let count = 0;
  let sinceMissed = DAYS_PER_FREE_MISS;
  for (let day = days.has(today) ? today : today - 1; ; day -= 1) {
    if (days.has(day)) {
      count += 1;
      sinceMissed += 1;
    } else if (count > 0 && sinceMissed >= DAYS_PER_FREE_MISS && days.has(day - 1)) {
      sinceMissed = 0;
    } else return count;
  }
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
