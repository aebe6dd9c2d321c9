import { and, asc, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { listed, newestFirst } from './queries';
import { type CalendarDate, readDate } from './shared/calendar';

/** An entry as a link to it shows it. */
export interface Neighbor {
  id: string;
  title: string;
  date: CalendarDate;
  /** The URL of its thumbnail, or an empty string. */
  thumbnail: string;
}

const place = [entries.date, entries.createdAt, entries.id] as const;

/** Selects the entry right before or after one, in the journal's order. Reads one row of `entries_newest`. */
export function selectNeighbor(userId: string, entryId: string, side: 'before' | 'after') {
  const columns = sql.join([...place], sql`, `);
  const here = sql`(select ${columns} from ${entries} where ${and(sql`${entries.id} = ${entryId}`, listed(userId))})`;
  return db()
    .select({
      id: entries.id,
      title: entries.title,
      date: entries.date,
      thumbnailKey: entries.thumbnailKey,
    })
    .from(entries)
    .where(and(listed(userId), side === 'before' ? sql`(${columns}) < ${here}` : sql`(${columns}) > ${here}`))
    .orderBy(...(side === 'before' ? newestFirst : place.map((column) => asc(column))))
    .limit(1);
}

function presentNeighbor([row]: Awaited<ReturnType<typeof selectNeighbor>>): Neighbor | null {
  if (!row) return null;
  const { id, title, date, thumbnailKey } = row;
  return { id, title, date: readDate(date), thumbnail: thumbnailKey ? `/api/v1/entry/${id}/thumbnail` : '' };
}

/**
 * Returns the entries before and after one, by date and then by when they were created; null at either end, and both
 * null if the entry isn't in the journal.
 */
export async function entryNeighbors(
  userId: string,
  entryId: string,
): Promise<{ previous: Neighbor | null; next: Neighbor | null }> {
  const [previous, next] = await Promise.all([
    selectNeighbor(userId, entryId, 'before'),
    selectNeighbor(userId, entryId, 'after'),
  ]);
  return { previous: presentNeighbor(previous), next: presentNeighbor(next) };
}
