import { and, eq, gte, lte, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { anyOf } from '@/db/any-of';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { entryFiles, type exports } from '@/db/schema/exports';
import { listed } from '@/lib/journal/entries/queries';

/** What an archive includes: a selection, a range of years, or everything. */
export type Scope = Pick<typeof exports.$inferSelect, 'entryIds' | 'fromYear' | 'toYear'>;

/** Selects the entries that an archive includes, of those that lists show. */
export function inScope(userId: string, { entryIds, fromYear, toYear }: Scope): SQL | undefined {
  const isoYear = (year: number) => String(year).padStart(4, '0');
  return and(
    listed(userId),
    entryIds ? anyOf(entries.id, entryIds) : undefined,
    fromYear === null ? undefined : gte(entries.date, `${isoYear(fromYear)}-01-01`),
    toYear === null ? undefined : lte(entries.date, `${isoYear(toYear)}-12-31`),
  );
}

/** Returns the years that a journal has entries of, latest first. */
export async function exportableYears(userId: string) {
  const year = sql<number>`extract(year from ${entries.date})::int`;
  const source = alias(entryFiles, 'source');
  const copy = alias(entryFiles, 'copy');
  // An archive has a copy of each video that browsers may not play as it was uploaded.
  const copyBytes = sql`case when ${source.playable} then 0 else coalesce(${copy.bytes}, 0) end`;
  return db()
    .select({
      year,
      entries: sql<number>`count(*)::int`,
      /** Of the videos, as far as they're known, which is what an archive mostly consists of. */
      bytes: sql<number>`sum(${entries.bytes} + ${copyBytes})::float8`,
    })
    .from(entries)
    .leftJoin(source, and(eq(source.entryId, entries.id), eq(source.name, 'source')))
    .leftJoin(copy, and(eq(copy.entryId, entries.id), eq(copy.name, 'video.mp4')))
    .where(listed(userId))
    .groupBy(year)
    .orderBy(sql`1 desc`);
}

/** A year of a journal. */
export type ExportableYear = Awaited<ReturnType<typeof exportableYears>>[number];
