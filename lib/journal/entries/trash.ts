import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { anyOf } from '@/db/any-of';
import { db } from '@/db/client';
import { isDatabaseUnreachable } from '@/db/errors';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { assertTimeAvailable, releaseHeld } from '@/lib/billing/plans/held-videos';
import { assertSpaceAvailable, lockPlan } from '@/lib/billing/plans/service';
import { attemptAll } from '@/lib/foundation/attempt-all';
import { AppError } from '@/lib/foundation/contract/errors';
import { startedOf, startJobs } from '@/lib/messaging/outbox/entry-jobs';
import { enqueueEvents, withdrawEvents } from '@/lib/messaging/outbox/service';
import { changeLocked, lockEntries } from './change-entries';
import type { Entry, TrashedEntry } from './contract';
import { purgeBatches, purgedColumns, purgeLocked } from './purge';
import { listed } from './queries';
import { getEntry, presentSummary, summaryColumns } from './service';
import { inTrash, lockSurplus } from './trash-space';

const RETENTION_DAYS = 30;

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

/** Returns how many entries are in the trash. */
export const countTrash = (userId: string): Promise<number> => db().$count(entries, inTrash(userId));

/** Returns the id of the event that stops an entry's jobs. */
const removalEventId = ({ id, trashedAt }: { id: string; trashedAt: Date | null }) =>
  `removed-${id}-${trashedAt?.getTime()}`;

/**
 * Moves entries to the trash, all or none: they disappear everywhere at once, and their jobs stop. Deletes what has
 * arrived of unfinished uploads. Starts held videos that fit the plan now. Where the trash has no space for the entries,
 * those that have been there longest are purged, but none of these.
 * @param which which entries may be removed
 * @param since when the removal began that this is a part of; what it has moved to the trash isn't purged either
 * @throws AppError `not_found` unless all of them match
 */
export async function removeEntries(
  userId: string,
  ids: string[],
  { which = listed(userId), since }: { which?: SQL | undefined; since?: Date } = {},
): Promise<void> {
  await db().transaction(async (tx) => {
    // Before changing the entries: everything that admits or releases videos locks in this order.
    const plan = await lockPlan(tx, userId);
    const removing = await lockEntries(tx, ids, which);
    // Before the change, too, because other purges lock entries before anything that depends on them.
    await purgeLocked(tx, await lockSurplus(tx, userId, plan, removing, since));
    const removed = await changeLocked(tx, userId, ids, () =>
      tx
        .update(entries)
        .set({ trashedAt: sql`now()` })
        .where(and(anyOf(entries.id, ids), eq(entries.userId, userId)))
        .returning({ id: entries.id, videoStatus: entries.videoStatus, trashedAt: entries.trashedAt }),
    );
    const events = removed.flatMap((entry) => {
      const data = { entryId: entry.id, userId };
      const stop = { id: removalEventId(entry), event: { name: 'entry/removed', data } as const };
      const discard = { id: `discarded-${entry.id}`, event: { name: 'entry/purged', data } as const };
      return entry.videoStatus === 'uploading' ? [discard, stop] : [stop];
    });
    await enqueueEvents(tx, events);
    await releaseHeld(tx, userId);
  });
}

/** Moves an entry to the trash, also one that's still uploading. See {@link removeEntries}. @throws AppError `not_found` */
export function removeEntry(userId: string, entryId: string): Promise<void> {
  return removeEntries(userId, [entryId], { which: ownedEntry(userId, entryId) });
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

/**
 * Restores entries from the trash, all or none, and restarts the jobs that their removal stopped. Held videos stay held
 * unless they fit the plan now.
 * @throws AppError `not_found` unless all of them are in the trash, or `quota_reached` if the plan has no space for them
 */
export async function restoreEntries(userId: string, ids: string[]): Promise<void> {
  await db().transaction(async (tx) => {
    await lockPlan(tx, userId);
    const trashed = await lockEntries(tx, ids, inTrash(userId));
    await assertSpaceAvailable(tx, userId, trashed.length, sum(trashed.map(({ bytes }) => bytes)));
    // A held video is restored as held. One that hasn't been probed yet is checked when it is.
    const admitted = trashed.flatMap(({ heldByPlan, durationMs }) => (heldByPlan ? [] : (durationMs ?? [])));
    if (admitted.length > 0) await assertTimeAvailable(tx, userId, sum(admitted));
    await changeLocked(tx, userId, ids, () =>
      tx
        .update(entries)
        .set({ trashedAt: null })
        .where(and(anyOf(entries.id, ids), inTrash(userId))),
    );
    // If they were sent late, they would stop the jobs that start now.
    await withdrawEvents(tx, trashed.map(removalEventId));
    const restored = trashed.map((entry) => ({ ...entry, entryId: entry.id, userId }));
    const pending = restored.filter(({ videoStatus }) => /^(uploaded|processing)$/.test(videoStatus));
    await startJobs(tx, 'video', pending);
    await startJobs(
      tx,
      'previews',
      restored.filter(({ videoStatus }) => videoStatus === 'ready'),
    );
    // The job of a video that's pending starts the other two, but not again.
    const unheard = restored.filter(({ transcriptStatus }) => transcriptStatus === 'processing');
    const heard = await startedOf(tx, 'transcript', unheard);
    const stopped = unheard.filter((entry) => !pending.includes(entry) || heard.has(entry.id));
    await startJobs(tx, 'transcript', stopped);
    await releaseHeld(tx, userId);
  });
}

/**
 * Restores an entry from the trash. See {@link restoreEntries}.
 * @throws AppError `not_found`, or `quota_reached` if the plan has no space for it
 */
export async function restoreEntry(userId: string, entryId: string): Promise<Entry> {
  await restoreEntries(userId, [entryId]);
  return getEntry(userId, entryId);
}

/** Permanently deletes an entry in the trash: its rows now, its objects in a job. @throws AppError `not_found` */
export async function purgeEntry(userId: string, entryId: string): Promise<void> {
  await db().transaction(async (tx) => {
    const [found] = await tx
      .select(purgedColumns)
      .from(entries)
      .where(and(eq(entries.id, entryId), inTrash(userId)))
      .for('update');
    if (!found) throw new AppError('not_found');
    await purgeLocked(tx, [found]);
  });
}

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
      .where(and(anyOf(entries.id, ids), isDue))
      .for('update', { skipLocked: true });
    await purgeLocked(tx, due);
  });
}

/**
 * Purges entries that have been in the trash for 30 days, and entries removed during their upload once the upload URL
 * has expired: the rows now, their objects in a job.
 * @throws Error after trying all of them, if any couldn't be purged
 */
export async function purgeOldTrash(): Promise<void> {
  const due = await db().select({ id: entries.id }).from(entries).where(isDue);
  // A transaction each, so that they stay short.
  const batches = purgeBatches(due.map(({ id }) => id));
  const canContinue = (error: unknown) => !isDatabaseUnreachable(error);
  const oneByOne = (batch: string[]) =>
    attemptAll('trash: purge', batch, (id) => purgeBatch([id]), {
      name: (id) => id,
      shouldContinue: canContinue,
    });
  await attemptAll(
    'trash: purge',
    batches,
    (batch) =>
      purgeBatch(batch).catch((error: unknown) => {
        // Otherwise, one that fails would block the others.
        if (canContinue(error)) return oneByOne(batch);
        throw error;
      }),
    { shouldContinue: canContinue },
  );
}
