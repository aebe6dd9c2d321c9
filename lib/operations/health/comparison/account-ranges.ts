import { type Column, type SQL, sql } from 'drizzle-orm';
import { db } from '@/db/client';

/** Accounts that are compared together. Ids sort in Postgres as in keys, since both compare the same digits. */
export interface AccountRange {
  /** The first id that may be in it. */
  from: string;
  /** The first id behind it; null for the end. */
  before: string | null;
}

/** How many entries a range has, about. What a range needs is held in memory. */
const ENTRIES = 5000;

const NO_DIGITS = '00000000-0000-0000-0000-000000000000';
const ALL_DIGITS = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Returns the first or last id that starts like this. */
const complete = (prefix: string, digits: string) => prefix + digits.slice(prefix.length);

/** Returns whether ids of accounts can start like this. */
export const isIdPrefix = (prefix: string): boolean =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(complete(prefix, NO_DIGITS));

/** Returns the condition for ids in a range. */
export const inRange = (column: Column | SQL, { from, before }: AccountRange): SQL =>
  before ? sql`${column} >= ${from} and ${column} < ${before}` : sql`${column} >= ${from}`;

/**
 * Splits all possible account ids into ranges with equally many entries, so that accounts that no longer exist, but have
 * left something behind, are in one, too.
 * @param only what the ids start with; empty for all of them
 */
export async function accountRanges(only: string): Promise<AccountRange[]> {
  const first = complete(only, NO_DIGITS);
  const last = complete(only, ALL_DIGITS);
  const starts = await db().execute<{ start: string }>(sql`
    select min(user_id::text collate "C") as start from (
      select user_id, sum(count(*)) over (order by user_id) as total from entries
      where trashed_at is null and user_id between ${first} and ${last} group by user_id
    ) as counted
    group by floor((total - 1) / ${ENTRIES}) order by 1`);
  const froms = [first, ...starts.slice(1).map(({ start }) => start)];
  // The id behind the last one that starts like this.
  const end = only && !/^[f-]+$/.test(only) ? nextId(last) : null;
  return froms.map((from, index) => ({ from, before: froms[index + 1] ?? end }));
}

/** Returns the id that follows another one. */
function nextId(id: string): string {
  const next = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0');
  return next.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
