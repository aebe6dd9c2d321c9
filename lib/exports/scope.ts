import { and, gte, inArray, lte, type SQL, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import type { exports } from '@/db/schema/exports';
import { listed } from '@/lib/entries/queries';

/** What an archive includes: a selection, a range of years, or everything. */
export type Scope = Pick<typeof exports.$inferSelect, 'entryIds' | 'fromYear' | 'toYear'>;

/** Selects the entries that an archive includes, of those that lists show. */
export function inScope(userId: string, { entryIds, fromYear, toYear }: Scope): SQL | undefined {
  const isoYear = (year: number) => String(year).padStart(4, '0');
  return and(
    listed(userId),
    entryIds ? inArray(entries.id, entryIds) : undefined,
    fromYear === null ? undefined : gte(entries.date, `${isoYear(fromYear)}-01-01`),
    toYear === null ? undefined : lte(entries.date, `${isoYear(toYear)}-12-31`),
  );
}

/** A year of a journal. */
export interface ExportableYear {
  year: number;
  entries: number;
  /** Of the originals, which is what an archive mostly consists of. */
  bytes: number;
}

/** Returns the years that a journal has entries of, latest first. */
export async function exportableYears(userId: string): Promise<ExportableYear[]> {
  const year = sql<number>`extract(year from ${entries.date})::int`;
  return db()
    .select({
      year,
      entries: sql<number>`count(*)::int`,
      bytes: sql<number>`sum(${entries.bytes})::float8`,
    })
    .from(entries)
    .where(listed(userId))
    .groupBy(year)
    .orderBy(sql`1 desc`);
}
