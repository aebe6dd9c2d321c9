import { and, asc, count, eq, gte, isNull, sql } from 'drizzle-orm';
import { db, type Transaction } from '@/db/client';
import { entries, entryTags, tags } from '@/db/schema/entries';
import { importedEntries } from '@/db/schema/imported-entries';
import { imports } from '@/db/schema/imports';
import { hiddenMemories } from '@/db/schema/memories';
import { lockPlan } from '@/lib/billing/plans/service';
import { AppError } from '@/lib/foundation/contract/errors';
import { MAX_SELECTED } from '@/lib/journal/entries/shared/selection';
import { removeEntries } from '@/lib/journal/entries/trash';
import { forgetImportedWords } from '@/lib/journal/transcripts/vocabulary';
import { discardUploads } from '@/lib/video/uploads/abandoned';
import { undoableUntil } from './service';

/**
 * Marks an import as being undone, so that nothing is added to it anymore.
 * @returns when the undo began, and whether an earlier call has finished it
 * @throws AppError `not_found`, or `conflict` if it's too old
 */
async function startUndo(userId: string, importId: string): Promise<{ since: Date; isFinished: boolean }> {
  return db().transaction(async (tx) => {
    await lockPlan(tx, userId);
    const [found] = await tx
      .select()
      .from(imports)
      .where(and(eq(imports.id, importId), eq(imports.userId, userId)));
    if (!found) throw new AppError('not_found');
    if (found.undoneAt) return { since: found.undoneAt, isFinished: found.undoFinishedAt !== null };
    if (undoableUntil(found.createdAt) < new Date()) {
      throw new AppError('conflict', {
        message: 'This import is more than 30 days old, so it can’t be undone anymore.',
      });
    }
    // By the clock that entries are moved to the trash by. The transaction may have waited for the lock.
    const [started] = await tx
      .update(imports)
      .set({ undoneAt: sql`clock_timestamp()` })
      .where(eq(imports.id, importId))
      .returning({ since: imports.undoneAt });
    if (!started?.since) throw new AppError('not_found');
    return { since: started.since, isFinished: false };
  });
}

const entriesOf = (userId: string, importId: string) =>
  and(eq(importedEntries.importId, importId), eq(entries.userId, userId));

/**
 * Moves entries of an import to the trash, as many as one transaction may change, and discards uploads.
 * @param since when the undo began
 * @returns whether there may be more
 */
async function removeBatch(userId: string, importId: string, since: Date): Promise<boolean> {
  const batch = await db()
    .select({ id: entries.id, videoStatus: entries.videoStatus })
    .from(importedEntries)
    .innerJoin(entries, eq(entries.id, importedEntries.entryId))
    .where(and(entriesOf(userId, importId), isNull(entries.trashedAt)))
    .orderBy(asc(entries.id))
    .limit(MAX_SELECTED);
  const uploads = batch.filter(({ videoStatus }) => videoStatus === 'uploading').map(({ id }) => id);
  const arrived = batch.filter(({ videoStatus }) => videoStatus !== 'uploading').map(({ id }) => id);
  if (uploads.length > 0) await db().transaction((tx) => discardUploads(tx, userId, uploads));
  if (arrived.length === 0) return batch.length > 0;
  await removeEntries(userId, arrived, { since }).catch((error: unknown) => {
    // Its owner has just removed one of them. The next batch is without it.
    if (!(error instanceof AppError && error.code === 'not_found')) throw error;
  });
  return true;
}

/**
 * Deletes the tags that an import added. Those on entries that stay belong to these entries' imports from now on, or to
 * nobody's if the account's owner put them there. Entries in the trash stay, too, unless their import was undone.
 */
async function removeTags(tx: Transaction, userId: string, importId: string): Promise<void> {
  const added = and(eq(tags.userId, userId), eq(tags.importId, importId));
  // So that no entry gets one of them meanwhile. In the order in which all lock tags.
  await tx.select({ id: tags.id }).from(tags).where(added).orderBy(asc(tags.id)).for('update');
  const owner = sql`case when ${imports.undoneAt} is null then ${imports.id} end`;
  const staying = sql`
    from ${entryTags} join ${entries} on ${entries.id} = ${entryTags.entryId}
    left join ${importedEntries} on ${importedEntries.entryId} = ${entries.id}
    left join ${imports} on ${imports.id} = ${importedEntries.importId}
    where ${entryTags.tagId} = ${tags.id} and (${entries.trashedAt} is null or ${imports.undoneAt} is null)`;
  await tx
    .update(tags)
    .set({ importId: sql`(select ${owner} ${staying} order by ${owner} nulls first limit 1)` })
    .where(and(added, sql`exists (select ${staying})`));
  await tx.delete(tags).where(added);
}

/** Deletes what an import has added besides entries, once these are in the trash. */
async function finishUndo(userId: string, importId: string): Promise<void> {
  await db().transaction(async (tx) => {
    await lockPlan(tx, userId);
    await removeTags(tx, userId, importId);
    await tx
      .delete(hiddenMemories)
      .where(and(eq(hiddenMemories.userId, userId), eq(hiddenMemories.importId, importId)));
    await forgetImportedWords(tx, userId, importId);
    await tx
      .update(imports)
      .set({ undoFinishedAt: sql`now()` })
      .where(and(eq(imports.id, importId), isNull(imports.undoFinishedAt)));
  });
}

/**
 * Brings an account back to where it was before an import, in transactions that stay short: moves the import's entries to
 * the trash, discards its unfinished uploads, and deletes the tags, learned words, and hidden tags and dates that it added.
 * Calling it again finishes what was interrupted. Entries that are restored after that stay.
 * @returns how many entries of the import the undo has moved to the trash and are still there
 * @throws AppError `not_found`, or `conflict` if the import is more than 30 days old
 */
export async function undoImport(userId: string, importId: string): Promise<{ entryCount: number }> {
  const { since, isFinished } = await startUndo(userId, importId);
  if (!isFinished) {
    while (await removeBatch(userId, importId, since));
    await finishUndo(userId, importId);
  }
  const [moved] = await db()
    .select({ entryCount: count() })
    .from(importedEntries)
    .innerJoin(entries, eq(entries.id, importedEntries.entryId))
    .where(and(entriesOf(userId, importId), gte(entries.trashedAt, since)));
  return moved ?? { entryCount: 0 };
}
