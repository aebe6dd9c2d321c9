import { type SQL, sql } from 'drizzle-orm';
import { INDEX_REVISION } from '@/lib/journal/search/reindex';

// Both queries select entries that aren't in the index as they are (`stale`), or some of whose words aren't among those
// that correct typos (`lacks_words`). migrations/0001_search.sql describes the index.

/** Of how many words of a transcript the index is looked up, unless all of them are compared. */
const SAMPLE = 10;
/** Words behind these may be cut off in the index. */
const INDEXED_WORDS = 10_000;
/** Of an entry with more different words, only so many are among those that correct typos. */
const COUNTED_WORDS = 8000;

/** Entries with what Postgres needs to know to index them, and their rows in the index. */
const compared = (ids: SQL, heard: SQL) => sql`
  page as (
    select id, user_id, title, date, created_at, coalesce(language, 'en') ~* '^en' as english,
      search_shelf(user_id, search_month(date)) as shelf,
      trashed_at is null and video_status <> 'uploading' as listed
    from entries where id in (${ids})
  ), compared as materialized (
    select page.*, indexed.entry_id, indexed.vector, indexed.revision, heard.words,
      (indexed.user_id, indexed.date, indexed.created_at, indexed.words)
        is distinct from (page.user_id, page.date, page.created_at, coalesce(heard.said, 0)) as moved
    from page left join entry_search indexed on indexed.entry_id = page.id
    left join lateral (
      select said, ${heard} as words from (
        select words, jsonb_array_length(words) as said from transcripts
        where entry_id = page.id order by revision desc limit 1
      ) as current
    ) as heard on listed
  ), indexed as (select * from compared where listed and entry_id is not null and not moved and revision >= ${sql.raw(String(INDEX_REVISION))})`;

const MISPLACED = sql`select id, user_id, true as stale, false as lacks_words from compared
  where case when listed then entry_id is null or moved else entry_id is not null end`;

const NOTES = sql`(select left(string_agg(text, ' ' order by created_at, notes.id), 50000)
  from notes where entry_id = indexed.id)`;

/** Whether a lexeme stands for a tag that's deleted. It stays in the index, where nothing finds it. */
const IS_DELETED_TAG = sql`(substr(lexeme, 7, 1) = '#'
  and not exists (select from tags where replace(id::text, '-', '') = substr(lexeme, 8)))`;

/** The lexemes of a text. Postgres plans `search_text` again for each, so only texts with glyphs are read with it. */
const formsOf = (written: string, plain: string) =>
  sql.raw(`case when ${written} ~ ('[' || search_glyph() || ']') then search_text(${written}, english)
        else search_forms(${plain}, english) end`);

/** Some words of a transcript, as text. Words of several parts are indexed in another way. */
const SAMPLED_WORDS = sql`(
  select string_agg(plain, ' ') from (
    select search_plain(left(word ->> 0, 200)) as plain
    from jsonb_array_elements(words) with ordinality as e(word, n)
    where n <= ${INDEXED_WORDS} and (n - 1) % (least(said, ${INDEXED_WORDS}) / ${SAMPLE} + 1) = 0
    offset 0
  ) as sampled where plain <> '' and plain not like '% %')`;

/**
 * Looks up titles, tags, notes, and a few words of each transcript. Calls none of the functions that Postgres would plan
 * again for each entry.
 */
export const sampledDifferences = (ids: SQL) => sql`
  with ${compared(ids, SAMPLED_WORDS)}, texts as materialized (
    select indexed.*, search_plain(title) as plain_title, notes, search_plain(notes) as plain_notes
    from indexed cross join lateral ${NOTES} as noted (notes)
  ), forms as materialized (
    select id, user_id, date, shelf, tsvector_to_array(vector) as stored,
      tsvector_to_array(${formsOf('title', 'plain_title')}) as titles,
      tsvector_to_array(search_forms(coalesce(words, ''), english)) as spoken,
      tsvector_to_array(${formsOf('notes', "coalesce(plain_notes, '')")}) as noted
    from texts
  )
  ${MISPLACED}
  union all
  select * from (
    select id, user_id,
      exists (select from unnest(titles || spoken || noted || array['*']) as lexeme where shelf || lexeme <> all (stored))
        or array(select lexeme from unnest(stored) as lexeme
            where substr(lexeme, 7, 1) in ('^', '#') and not ${IS_DELETED_TAG} order by lexeme collate "C")
          <> array(select lexeme from (
            select shelf || '^' || title as lexeme from unnest(titles) as title
            union all
            select shelf || '#' || replace(tag_id::text, '-', '') from entry_tags where entry_id = forms.id
          ) as marked order by lexeme collate "C") as stale,
      cardinality(stored) <= ${COUNTED_WORDS} and exists (
        select from unnest(spoken) as known where length(known) between 4 and 30
        and not exists (select from search_words where search_words.user_id = forms.user_id
          and year = extract(year from forms.date)::smallint and word = known)) as lacks_words
    from forms) as differences
  where stale or lacks_words`;

/** Makes the whole index of each entry again, and compares that, as `search_refresh` would. */
export const allDifferences = (ids: SQL) => sql`
  with ${compared(ids, sql`words`)}
  ${MISPLACED}
  union all
  select id, user_id, true, false from indexed
  where ts_delete(vector, array(select lexeme from unnest(tsvector_to_array(vector)) as lexeme where ${IS_DELETED_TAG}))
    <> search_vector(
      shelf,
      search_text(title, english),
      (select array_agg(tag_id) from entry_tags where entry_id = id),
      coalesce(search_spoken(words, english), ''),
      coalesce(search_text(${NOTES}, english), ''))`;
