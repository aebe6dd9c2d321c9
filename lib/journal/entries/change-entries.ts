import { and, asc, type SQL, sql } from 'drizzle-orm';
import { anyOf, arrayOf } from '@/db/any-of';
import type { Transaction } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { AppError } from '@/lib/foundation/contract/errors';

/** Names the entries that are gone, so that the others can be tried without them. One alone is the whole request. */
export function notFound(ids: string[], found: { id: string }[]): AppError {
  if (ids.length === 1) return new AppError('not_found');
  const left = new Set(found.map(({ id }) => id));
  const gone = ids.filter((id) => !left.has(id));
  return new AppError('not_found', {
    message: 'Some of these entries aren’t there anymore. Try again without them.',
    fields: Object.fromEntries(gone.map((id) => [id, 'This entry isn’t there anymore.'])),
  });
}

/**
 * Locks entries until the transaction ends, in one order for all callers.
 * @param which who they belong to, and whether they're in the trash
 * @returns what changes of many entries need to know about each, in the order of their ids
 * @throws AppError `not_found` unless all of them match; of several, its fields are the ids that don’t
 */
export async function lockEntries(tx: Transaction, ids: string[], which: SQL | undefined) {
  const locked = await tx
    .select({
      id: entries.id,
      date: entries.date,
      bytes: entries.bytes,
      durationMs: entries.durationMs,
      heldByPlan: entries.heldByPlan,
      trashedAt: entries.trashedAt,
      videoStatus: entries.videoStatus,
      transcriptStatus: entries.transcriptStatus,
    })
    .from(entries)
    .where(and(anyOf(entries.id, ids), which))
    .orderBy(asc(entries.id))
    .for('no key update');
  if (locked.length < ids.length) throw notFound(ids, locked);
  return locked;
}

/**
 * Changes entries that are locked, and updates the search index once at the end instead of with every row: the time of
 * the latter grows with the square of the number of entries (`search_suspend` in the migrations says why).
 */
export async function changeLocked<T>(
  tx: Transaction,
  userId: string,
  ids: string[],
  change: () => Promise<T>,
): Promise<T> {
  const list = arrayOf(entries.id, ids);
  await tx.execute(sql`select search_suspend(${userId}, ${list})`);
  const result = await change();
  await tx.execute(sql`select search_resume(${userId}, ${list})`);
  return result;
}
