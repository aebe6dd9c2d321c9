import { and, desc, eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { detailColumns, summaryColumns } from './present';

/**
 * Those that lists show: sent at least, and not in the trash. In so many words, as the index `entries_newest` has
 * them: with a parameter among them it could not be used.
 */
export const listed = (userId: string) =>
  and(
    eq(entries.userId, userId),
    sql`${entries.trashedAt} is null and ${entries.videoStatus} <> 'uploading'`,
  );

export const newestFirst = [desc(entries.date), desc(entries.createdAt), desc(entries.id)];

/** Where a page of the list begins: after this entry. */
interface Cursor {
  date: string;
  createdAt: string;
  id: string;
}

export function selectSummaries(userId: string, page: { limit: number; after?: Cursor }) {
  const after = page.after
    ? sql`(${entries.date}, ${entries.createdAt}, ${entries.id}) < (${page.after.date}::date, ${page.after.createdAt}::timestamptz, ${page.after.id}::uuid)`
    : undefined;
  return db()
    .select(summaryColumns)
    .from(entries)
    .where(and(listed(userId), after))
    .orderBy(...newestFirst)
    .limit(page.limit)
    .prepare('summaries')
    .execute();
}

export async function selectDetail(userId: string, entryId: string) {
  const [row] = await db()
    .select(detailColumns)
    .from(entries)
    .where(ownedEntry(userId, entryId))
    .prepare('entry')
    .execute();
  return row;
}
