import { and, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { type AccountRange, inRange } from './account-ranges';
import { attemptRepair, type Comparison } from './findings';
import { allDifferences, sampledDifferences } from './search-queries';

/** How many entries one statement compares, so that it takes about a second. */
const BATCH = { sampled: 1000, thorough: 50 };
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
  const query = isThorough ? allDifferences(list) : sampledDifferences(list);
  return db().transaction(async (tx) => {
    // Compiling the statement takes longer than running it.
    await tx.execute(sql`set local jit = off`);
    return tx.execute<Compared>(query);
  });
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
const refresh = (id: string) => () => db().execute(sql`select search_refresh(${id})`);

/** Counts an account again, while changes of its entries wait. */
const recount = (userId: string) => () =>
  db().transaction(async (tx) => {
    await tx.execute(sql`select journal_lock(${userId})`);
    await tx.execute(sql`select journal_recount(array[${userId}::uuid])`);
    await tx.execute(sql`select search_recount(array[${userId}::uuid])`);
  });

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
