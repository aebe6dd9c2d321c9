import { and, type SQL, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { type AccountRange, inRange } from './account-ranges';
import { attemptRepair, type Comparison } from './context';

/** How many entries one statement compares, so that it takes about a second. */
const BATCH = { sampled: 1000, thorough: 50 };
/** Of how many words of a transcript the index is looked up, unless all of them are compared. */
const SAMPLE = 12;
/** Words behind these may be cut off in the index. */
const INDEXED_WORDS = 10_000;

/** Adds the words of a transcript, as `search_spoken` takes them, to the rows of `page`. */
const WITH_ALL_WORDS = sql`select page.*, spoken.words as sample from page left join lateral (
  select words from transcripts where entry_id = page.id order by revision desc limit 1) spoken on true`;

/** The same with a few words, which takes a fiftieth of the time. */
const WITH_SAMPLE = sql`select page.*, spoken.sample from page left join lateral (
  select (select jsonb_agg(word order by n) from jsonb_array_elements(words) with ordinality as e(word, n)
    where n <= ${INDEXED_WORDS} and (n - 1) % (least(jsonb_array_length(words), ${INDEXED_WORDS}) / ${SAMPLE} + 1) = 0
  ) as sample, words from transcripts where entry_id = page.id order by revision desc limit 1) spoken on true`;

/** What `search_refresh` of migrations/0001_search.sql would make of an entry. */
const EXPECTED = sql`search_vector(
  shelf,
  search_forms(search_plain(title), english),
  (select array_agg(tag_id) from entry_tags where entry_id = id),
  coalesce(search_spoken(sample, english), ''),
  coalesce((select search_forms(search_plain(left(string_agg(text, ' ' order by created_at, notes.id), 50000)), english)
    from notes where entry_id = compared.id), ''))`;

/** The lexemes of tags that are deleted stay in the index, where nothing finds them. */
const STORED = sql`ts_delete(vector, array(select lexeme from unnest(tsvector_to_array(vector)) as lexeme
  where substr(lexeme, 7, 1) = '#' and not exists (select from tags where replace(id::text, '-', '') = substr(lexeme, 8))))`;

/** The lexemes of titles and tags, of which there must be no others. */
const marked = (vector: SQL) => sql`array(select lexeme from unnest(tsvector_to_array(${vector})) as lexeme
  where substr(lexeme, 7, 1) in ('^', '#') order by lexeme)`;

const SAMPLE_DIFFERS = sql`not tsvector_to_array(expected) <@ tsvector_to_array(stored)
  or ${marked(sql`expected`)} <> ${marked(sql`stored`)}`;

/** A word of the sample that isn't among the words that correct typos. Only some of them are. */
const LACKS_WORDS = sql`exists (
  select from unnest(search_entry_words(search_prefixed(search_spoken(sample, english), shelf)::tsvector)) as known
  where not exists (select from search_words where search_words.user_id = compared.user_id
    and search_words.year = extract(year from compared.date) and search_words.word = known))`;

interface Compared extends Record<string, unknown> {
  id: string;
  user_id: string;
  stale: boolean;
  lacks_words: boolean;
}

/** Compares entries with their rows in the index. @returns those that differ */
function compareBatch(ids: readonly string[], isThorough: boolean) {
  const list = sql.join(
    ids.map((id) => sql`${id}::uuid`),
    sql`, `,
  );
  return db().execute<Compared>(sql`
    with page as (
      select id, user_id, title, date, created_at, coalesce(language, 'en') ~* '^en' as english,
        search_shelf(user_id, search_month(date)) as shelf,
        trashed_at is null and video_status <> 'uploading' as listed
      from entries where id in (${list})
    ), sampled as (${isThorough ? WITH_ALL_WORDS : WITH_SAMPLE}
    ), compared as (
      select sampled.*, indexed.entry_id, indexed.vector,
        (indexed.user_id, indexed.date, indexed.created_at, indexed.words) is distinct from
          (sampled.user_id, sampled.date, sampled.created_at, coalesce((select jsonb_array_length(words)
            from transcripts where entry_id = sampled.id order by revision desc limit 1), 0)) as moved
      from sampled left join entry_search indexed on indexed.entry_id = sampled.id
    ), vectors as (
      select compared.*, ${STORED} as stored, ${EXPECTED} as expected from compared
      where listed and entry_id is not null and not moved
    )
    select id, user_id, true as stale, false as lacks_words from compared
    where case when listed then entry_id is null or moved else entry_id is not null end
    union all
    select id, user_id, stale, not stale and lacks_words from (
      select id, user_id, ${isThorough ? sql`stored <> expected` : SAMPLE_DIFFERS} as stale,
        ${LACKS_WORDS} as lacks_words
      from vectors as compared) as differences
    where stale or lacks_words`);
}

/** Selects the accounts of a range whose counts by month and day aren't those of their indexed entries. */
const accountsWithWrongMonths = (range: AccountRange) => sql`
  with counted as (
    select indexed.user_id, search_month(indexed.date) as month, extract(day from indexed.date)::int as day,
      count(*)::int as entries, sum(indexed.words) as words
    from ${entries} join entry_search indexed on indexed.entry_id = ${entries.id}
    where ${inRange(entries.userId, range)} and ${entries.trashedAt} is null group by 1, 2, 3
  ), months as (
    select user_id, month, sum(entries) as entries, sum(words) as words from counted group by 1, 2
  ), kept as (
    select * from journal_months where ${inRange(sql`user_id`, range)}
  ), days as (
    select user_id, month, day, n from kept, unnest(days) with ordinality as of_day(n, day) where n <> 0
  )
  select user_id from months full join kept using (user_id, month)
  where coalesce(months.entries, 0) <> coalesce(kept.entries, 0) or coalesce(months.words, 0) <> coalesce(kept.words, 0)
  union
  select user_id from counted full join days using (user_id, month, day)
  where counted.entries is distinct from days.n`;

/** Returns whether an account's words, which correct typos, are those of its indexed entries. */
async function hasRightWords(userId: string): Promise<boolean> {
  const counted = sql`select extract(year from indexed.date)::int as year, word, count(*)::int as entries
    from ${entries} join entry_search indexed on indexed.entry_id = ${entries.id},
      unnest(search_entry_words(indexed.vector)) as word
    where ${entries.userId} = ${userId} and ${entries.trashedAt} is null group by 1, 2`;
  const kept = sql`select year::int, word, entries from search_words where user_id = ${userId}`;
  const rows = await db().execute(sql`
    (${counted} except ${kept}) union all (${kept} except ${counted}) limit 1`);
  return rows.length === 0;
}

/** Indexes an entry again; the triggers adjust the counts. */
const refresh = (id: string) => async () => {
  await db().execute(sql`select search_refresh(${id})`);
  return true;
};

/** Counts an account again, while changes of its entries wait. */
const recount = (userId: string) => async () => {
  await db().transaction(async (tx) => {
    await tx.execute(sql`select journal_lock(${userId})`);
    await tx.execute(sql`select journal_recount(array[${userId}::uuid])`);
    await tx.execute(sql`select search_recount(array[${userId}::uuid])`);
  });
  return true;
};

/** Compares the search index of a range of accounts with titles, transcripts, notes, and tags. */
export async function compareSearchIndex(comparison: Comparison, range: AccountRange): Promise<void> {
  const { findings, mayRepair, isThorough } = comparison;
  const own = await db()
    .select({ id: entries.id, userId: entries.userId })
    .from(entries)
    .where(and(inRange(entries.userId, range), sql`${entries.trashedAt} is null`));
  const trashed = await db().execute<{ id: string }>(sql`
    select ${entries.id} from ${entries} join entry_search on entry_search.entry_id = ${entries.id}
    where ${inRange(entries.userId, range)} and ${entries.trashedAt} is not null`);
  const ids = [...own, ...trashed].map(({ id }) => id);
  const miscounted = new Set<string>();
  const size = BATCH[isThorough ? 'thorough' : 'sampled'];
  for (let at = 0; at < ids.length; at += size) {
    for (const { id, user_id, stale } of await compareBatch(ids.slice(at, at + size), isThorough)) {
      if (!stale) miscounted.add(user_id);
      else findings.add('search-stale', id, { isRepaired: await attemptRepair(mayRepair, refresh(id)) });
    }
  }
  const rows = await db().execute<{ user_id: string }>(accountsWithWrongMonths(range));
  for (const { user_id } of rows) miscounted.add(user_id);
  if (isThorough) {
    for (const userId of new Set(own.map((entry) => entry.userId))) {
      if (!(await hasRightWords(userId))) miscounted.add(userId);
    }
  }
  for (const userId of miscounted) {
    findings.add('counts-wrong', userId, { isRepaired: await attemptRepair(mayRepair, recount(userId)) });
  }
}
