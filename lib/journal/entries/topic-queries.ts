import { desc, eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { preparedStatement } from '@/db/prepared';
import { entries, entryTags, tags } from '@/db/schema/entries';
import { listed, newestFirst } from './queries';

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
export async function selectRecentTag(userId: string): Promise<string | null> {
  const [row] = await recentTagStatement().execute({ userId });
  return row?.name ?? null;
}

/**
 * The most telling word of the last 10 transcripts: said often in them, and in few other entries of the year (tf-idf).
 * Null when nothing was said. Stems stand in the index beside their words, so of all that share a stem the most
 * frequent word is taken, and the stem itself only where it was said.
 */
export async function selectDistinctiveWord(userId: string): Promise<string | null> {
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
