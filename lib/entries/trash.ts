import { and, desc, eq, inArray, isNotNull, ne, sql } from 'drizzle-orm';
import { db, type Transaction } from '@/db/client';
import { isDatabaseUnreachable } from '@/db/errors';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { attemptAll } from '@/lib/attempt-all';
import { AppError } from '@/lib/contract/errors';
import { startJobs, wasStarted } from '@/lib/outbox/entry-jobs';
import { enqueueEvent, withdrawEvent } from '@/lib/outbox/service';
import { assertTimeAvailable, releaseHeld } from '@/lib/plans/held-videos';
import { checkUploadQuota, lockPlan } from '@/lib/plans/service';
import { forgetWordsOfEntries } from '@/lib/transcripts/vocabulary';
import type { Entry, TrashedEntry } from './contract';
import { enqueuePurge, purgedColumns } from './purge';
import { getEntry, presentSummary, summaryColumns } from './service';

const RETENTION_DAYS = 30;

/** Selects an account's trash. Unfinished uploads can't be restored, so they aren't in it. */
const inTrash = (userId: string) =>
  and(eq(entries.userId, userId), isNotNull(entries.trashedAt), ne(entries.videoStatus, 'uploading'));

const oneInTrash = (userId: string, entryId: string) => and(eq(entries.id, entryId), inTrash(userId));

/** Returns the entries in the trash, latest first. */
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
      // Files of entries in the trash aren't served.
      thumbnail: '',
      bytes: row.bytes,
      trashedAt: trashedAt.toISOString(),
      purgedAt: purgedAt.toISOString(),
    };
  });
}

/** Returns the id of the event that stops an entry's jobs. */
const removalEventId = (entryId: string, trashedAt: Date | null) =>
  `removed-${entryId}-${trashedAt?.getTime()}`;

/**
 * Moves an entry to the trash: it disappears everywhere at once, and its jobs stop. Deletes what has arrived of an
 * unfinished upload. Starts held videos that fit the plan now.
 * @throws AppError `not_found`
 */
export async function removeEntry(userId: string, entryId: string): Promise<void> {
  await db().transaction(async (tx) => {
    // Before changing the entry: everything that admits or releases videos locks in this order.
    await lockPlan(tx, userId);
    const [removed] = await tx
      .update(entries)
      .set({ trashedAt: sql`now()` })
      .where(ownedEntry(userId, entryId))
      .returning({ videoStatus: entries.videoStatus, trashedAt: entries.trashedAt });
    if (!removed) throw new AppError('not_found');
    const data = { entryId, userId };
    if (removed.videoStatus === 'uploading') {
      await enqueueEvent(tx, `discarded-${entryId}`, { name: 'entry/purged', data });
    }
    await enqueueEvent(tx, removalEventId(entryId, removed.trashedAt), { name: 'entry/removed', data });
    await releaseHeld(tx, userId);
  });
}

/**
 * Restores an entry from the trash, and restarts the jobs that its removal stopped. A held video stays held unless it
 * fits the plan now.
 * @throws AppError `not_found`, or `quota_reached` if the plan has no space for it
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
    // A held video is restored as held. One that hasn't been probed yet is checked when it is.
    if (trashed.durationMs !== null && !trashed.heldByPlan)
      await assertTimeAvailable(tx, userId, trashed.durationMs);
    const [restored] = await tx
      .update(entries)
      .set({ trashedAt: null })
      .where(oneInTrash(userId, entryId))
      .returning({
        videoStatus: entries.videoStatus,
        transcriptStatus: entries.transcriptStatus,
      });
    if (!restored) throw new AppError('not_found');
    // If it were sent late, it would stop the jobs that start now.
    await withdrawEvent(tx, removalEventId(entryId, trashed.trashedAt));
    const entry = { entryId, userId };
    const isVideoPending = restored.videoStatus === 'uploaded' || restored.videoStatus === 'processing';
    if (isVideoPending) await startJobs(tx, 'video', [entry]);
    if (restored.videoStatus === 'ready') await startJobs(tx, 'previews', [entry]);
    // The job of a video that's pending starts the other two, but not again.
    const isTranscriptStopped = !isVideoPending || (await wasStarted(tx, 'transcript', entry));
    if (restored.transcriptStatus === 'processing' && isTranscriptStopped)
      await startJobs(tx, 'transcript', [entry]);
    await releaseHeld(tx, userId);
  });
  return getEntry(userId, entryId);
}

/** Purges entries whose rows are locked. */
async function purgeLocked(tx: Transaction, purged: Parameters<typeof enqueuePurge>[1]): Promise<void> {
  const ids = purged.map(({ entryId }) => entryId);
  await forgetWordsOfEntries(tx, ids);
  await tx.delete(entries).where(inArray(entries.id, ids));
  await enqueuePurge(tx, purged);
}

/** Permanently deletes an entry in the trash: its rows now, its objects in a job. @throws AppError `not_found` */
export async function purgeEntry(userId: string, entryId: string): Promise<void> {
  await db().transaction(async (tx) => {
    const [found] = await tx
      .select(purgedColumns)
      .from(entries)
      .where(oneInTrash(userId, entryId))
      .for('update');
    if (!found) throw new AppError('not_found');
    await purgeLocked(tx, [found]);
  });
}

/** How many entries one transaction purges at most, so that it stays short. */
const BATCH = 500;

// Parts' URLs, whose expiry isn't in the row, work for an hour at most.
const isDue = sql`${entries.trashedAt} is not null and now() > case when ${entries.videoStatus} = 'uploading'
  then coalesce(${entries.uploadExpiresAt}, ${entries.trashedAt} + interval '1 hour')
  else ${entries.trashedAt} + ${RETENTION_DAYS} * interval '1 day' end`;

/** Purges the entries that are still due. Skips locked ones, which the next run purges. */
async function purgeBatch(ids: string[]): Promise<void> {
  await db().transaction(async (tx) => {
    const due = await tx
      .select(purgedColumns)
      .from(entries)
      .where(and(inArray(entries.id, ids), isDue))
      .for('update', { skipLocked: true });
    if (due.length > 0) await purgeLocked(tx, due);
  });
}

/**
 * Purges entries that have been in the trash for 30 days, and entries removed during their upload once the upload URL
 * has expired: the rows now, their objects in a job.
 * @throws Error after trying all of them, if any couldn't be purged
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
        // Otherwise, one that fails would block the others.
        if (mayGoOn(error)) return oneByOne(batch);
        throw error;
      }),
    { shouldContinue: mayGoOn },
  );
}
