import { and, desc, eq, inArray, isNotNull, ne, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { isDatabaseUnreachable } from '@/db/errors';
import { entries } from '@/db/schema/entries';
import { attemptAll } from '@/lib/attempt-all';
import { AppError } from '@/lib/contract/errors';
import type { EntryEvent } from '@/lib/outbox/events';
import { enqueueEvent, withdrawEvent } from '@/lib/outbox/service';
import { assertTimeAvailable, releaseHeld } from '@/lib/plans/held-videos';
import { checkUploadQuota } from '@/lib/plans/service';
import type { Entry, TrashedEntry } from './contract';
import { presentSummary, summaryColumns } from './present';
import { enqueuePurge, purgedColumns } from './purge';
import { getEntry, removalEventId } from './service';

const RETENTION_DAYS = 30;

/** The user's, in the trash. What was never uploaded whole cannot come back and counts as gone. */
const inTrash = (userId: string) =>
  and(eq(entries.userId, userId), isNotNull(entries.trashedAt), ne(entries.videoStatus, 'uploading'));

const oneInTrash = (userId: string, entryId: string) => and(eq(entries.id, entryId), inTrash(userId));

/** What is in the trash, the latest first. */
export async function listTrash(userId: string): Promise<TrashedEntry[]> {
  const rows = await db()
    .select({ ...summaryColumns, trashedAt: entries.trashedAt, bytes: entries.bytes })
    .from(entries)
    .where(inTrash(userId))
    .orderBy(desc(entries.trashedAt), desc(entries.id));
  return rows.map((row) => {
    const trashedAt = row.trashedAt ?? new Date();
    const purgedAt = new Date(trashedAt.getTime() + RETENTION_DAYS * 24 * 3600 * 1000);
    return {
      ...presentSummary(row),
      // Nothing in the trash is served.
      thumbnail: '',
      bytes: row.bytes,
      trashedAt: trashedAt.toISOString(),
      purgedAt: purgedAt.toISOString(),
    };
  });
}

/**
 * Takes an entry out of the trash, and starts the jobs again that its removal had stopped. One that the plan held is
 * held again, or processed if it fits now.
 * @throws AppError `not_found`, or `quota_reached` when the plan has no room for it
 */
export async function restoreEntry(userId: string, entryId: string): Promise<Entry> {
  await db().transaction(async (tx) => {
    const [trashed] = await tx
      .select({
        bytes: entries.bytes,
        durationMs: entries.durationMs,
        heldByPlan: entries.heldByPlan,
        trashedAt: entries.trashedAt,
      })
      .from(entries)
      .where(oneInTrash(userId, entryId));
    if (!trashed) throw new AppError('not_found');
    await checkUploadQuota(tx, userId, trashed.bytes, trashed.bytes);
    // A held video comes back held, and one that was never probed is judged when it is.
    if (trashed.durationMs !== null && !trashed.heldByPlan)
      await assertTimeAvailable(tx, userId, trashed.durationMs);
    const [restored] = await tx
      .update(entries)
      .set({ trashedAt: null })
      .where(oneInTrash(userId, entryId))
      .returning({
        videoStatus: entries.videoStatus,
        transcriptStatus: entries.transcriptStatus,
        at: sql<string>`extract(epoch from clock_timestamp())::text`,
      });
    if (!restored) throw new AppError('not_found');
    // Sent late, it would stop the jobs that start now.
    await withdrawEvent(tx, removalEventId(entryId, trashed.trashedAt));
    const start = (name: EntryEvent['name'], id: string) =>
      enqueueEvent(tx, `${id}-${entryId}-${restored.at}`, { name, data: { entryId, userId } });
    if (restored.videoStatus === 'uploaded' || restored.videoStatus === 'processing') {
      // Its job asks for the words, and for the previews.
      await start('entry/uploaded', 'restored');
    } else if (restored.videoStatus === 'ready') {
      await start('entry/video.ready', 'ready');
      if (restored.transcriptStatus === 'processing') await start('entry/transcript.wanted', 'transcript');
    }
    await releaseHeld(tx, userId);
  });
  return getEntry(userId, entryId);
}

/** Permanently deletes an entry in the trash: its rows at once, its objects by a job. @throws AppError `not_found` */
export async function purgeEntry(userId: string, entryId: string): Promise<void> {
  await db().transaction(async (tx) => {
    const gone = await tx.delete(entries).where(oneInTrash(userId, entryId)).returning(purgedColumns);
    if (gone.length === 0) throw new AppError('not_found');
    await enqueuePurge(tx, gone);
  });
}

/** Entries that one transaction purges at most, so that none takes long however much is due. */
const BATCH = 500;

// A part's address, which isn't in the row, works for an hour at most.
const isDue = sql`${entries.trashedAt} is not null and now() > case when ${entries.videoStatus} = 'uploading'
  then coalesce(${entries.uploadExpiresAt}, ${entries.trashedAt} + interval '1 hour')
  else ${entries.trashedAt} + ${RETENTION_DAYS} * interval '1 day' end`;

/** Purges those of some entries that are still due; what somebody else holds is left to the next run. */
async function purgeBatch(ids: string[]): Promise<void> {
  await db().transaction(async (tx) => {
    const due = await tx
      .select(purgedColumns)
      .from(entries)
      .where(and(inArray(entries.id, ids), isDue))
      .for('update', { skipLocked: true });
    if (due.length === 0) return;
    await tx.delete(entries).where(
      inArray(
        entries.id,
        due.map(({ entryId }) => entryId),
      ),
    );
    await enqueuePurge(tx, due);
  });
}

/**
 * Purges what has been in the trash for 30 days, and what was removed while it was being uploaded as soon as the
 * address it was uploaded to has expired: the rows at once, their objects by a job.
 * @throws Error after all were tried, when one can't be purged
 */
export async function purgeOldTrash(): Promise<void> {
  const due = await db().select({ id: entries.id }).from(entries).where(isDue);
  const ids = due.map(({ id }) => id);
  const batches = Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, index) =>
    ids.slice(index * BATCH, (index + 1) * BATCH),
  );
  const mayGoOn = (error: unknown) => !isDatabaseUnreachable(error);
  const oneByOne = (batch: string[]) =>
    attemptAll('trash: purge', batch, (id) => purgeBatch([id]), {
      name: (id) => id,
      shouldContinue: mayGoOn,
    });
  await attemptAll(
    'trash: purge',
    batches,
    (batch) =>
      purgeBatch(batch).catch((error: unknown) => {
        // Otherwise one of them stands in the way of the others.
        if (mayGoOn(error)) return oneByOne(batch);
        throw error;
      }),
    { shouldContinue: mayGoOn },
  );
}
