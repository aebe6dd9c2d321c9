import { and, eq, exists, isNull, lt, ne, notExists, type SQL, sql } from 'drizzle-orm';
import { anyOf } from '@/db/any-of';
import { db, type Transaction } from '@/db/client';
import { isDatabaseUnreachable } from '@/db/errors';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { uploads } from '@/db/schema/uploads';
import { isStorageReachable } from '@/lib/clients/storage';
import { headObject } from '@/lib/clients/storage-objects';
import { attemptAll, runAll } from '@/lib/foundation/attempt-all';
import { AppError } from '@/lib/foundation/contract/errors';
import { entryKey } from '@/lib/journal/entries/keys';
import { enqueuePurge, purgedColumns } from '@/lib/journal/entries/purge';
import { removeEntry } from '@/lib/journal/entries/trash';
import type { EntryRef } from '@/lib/messaging/outbox/entry-jobs';
import { assembleParts, markUploaded } from './complete';

/** Deletes the entries of unfinished uploads; a job deletes what arrived. @returns how many there were */
export async function discardUploads(
  tx: Transaction,
  userId: string,
  entryIds: readonly string[],
  also?: SQL,
): Promise<number> {
  const isOne = and(anyOf(entries.id, entryIds), eq(entries.userId, userId));
  const gone = await tx
    .delete(entries)
    .where(and(isOne, eq(entries.videoStatus, 'uploading'), also))
    .returning(purgedColumns);
  await enqueuePurge(tx, gone);
  return gone.length;
}

/** Deletes an unfinished upload's entry; a job deletes what arrived. @returns whether there was one */
const abandonUpload = (userId: string, entryId: string, also?: SQL): Promise<boolean> =>
  db().transaction(async (tx) => (await discardUploads(tx, userId, [entryId], also)) > 0);

/**
 * Aborts an unfinished upload, which frees its space right away.
 * @throws AppError `not_found`, or `conflict` if the video has arrived
 */
export async function abortUpload(userId: string, entryId: string): Promise<void> {
  const [entry] = await db()
    .select({ videoStatus: entries.videoStatus })
    .from(entries)
    .where(ownedEntry(userId, entryId));
  if (!entry) throw new AppError('not_found');
  if (entry.videoStatus !== 'uploading') throw new AppError('conflict');
  // Once its multipart upload is aborted, storage accepts no more parts, so the row can be deleted too.
  const inParts = exists(db().select().from(uploads).where(eq(uploads.entryId, entries.id)));
  if (await abandonUpload(userId, entryId, and(ownedEntry(userId, entryId), inParts))) return;
  await removeEntry(userId, entryId);
}

/** When the browser last made itself heard: when it opened the upload, or asked to send a part. */
const lastActivity = sql`coalesce(${uploads.activeAt}, ${entries.createdAt})`;

/** How long an upload may be silent before it's abandoned. */
const SILENCE_LIMIT = sql`interval '24 hours'`;

/** When an upload that stays silent is checked for the last time before it's abandoned. */
const lastCheck = sql`${lastActivity} + ${SILENCE_LIMIT} - interval '10 minutes'`;

/**
 * When to check storage for a silent upload: after 10 minutes, then each time after as long again as it had been
 * silent, at most 2 hours, and once more in the last 10 minutes before it's abandoned. Any activity starts this over.
 */
const nextCheck = sql`greatest(
  ${lastActivity} + interval '10 minutes',
  least(
    ${entries.uploadCheckedAt} + least(${entries.uploadCheckedAt} - ${lastActivity}, interval '2 hours'),
    case when ${entries.uploadCheckedAt} < ${lastCheck} then ${lastCheck} end))`;

const isUnfinished = and(eq(entries.videoStatus, 'uploading'), isNull(entries.trashedAt));

/** Matches uploads that may have arrived: not recordings that are still running, which have no title. */
const mayHaveArrived = ne(entries.title, '');

/**
 * Abandons uploads that have been silent for a day. Storage must have been asked at the end of that day: after the site
 * was down, or its database was restored, nobody may know yet that a video has arrived.
 * @throws Error after trying all of them, if any failed
 */
async function abandonSilentUpload(): Promise<void> {
  const silent = await db()
    .select({ entryId: entries.id, userId: entries.userId })
    .from(entries)
    .leftJoin(uploads, eq(uploads.entryId, entries.id))
    .where(
      and(
        isUnfinished,
        lt(lastActivity, sql`now() - ${SILENCE_LIMIT}`),
        sql`(not ${mayHaveArrived} or ${entries.uploadCheckedAt} >= ${lastCheck})`,
      ),
    );
  const isStillSilent = notExists(
    db()
      .select()
      .from(uploads)
      .where(and(eq(uploads.entryId, entries.id), sql`${uploads.activeAt} >= now() - ${SILENCE_LIMIT}`)),
  );
  await attemptAll(
    'uploads: give up',
    silent,
    ({ userId, entryId }) => abandonUpload(userId, entryId, and(isNull(entries.trashedAt), isStillSilent)),
    { name: ({ entryId }) => entryId, shouldContinue: (error) => !isDatabaseUnreachable(error) },
  );
}

type PendingUpload = EntryRef & { size: number | null };

/** Completes an upload if storage has all of it. */
async function completeIfStored({ entryId, userId, size }: PendingUpload): Promise<void> {
  try {
    const isWhole =
      size === null
        ? (await headObject(entryKey(userId, entryId, 'source')))?.size
        : await assembleParts(userId, entryId, size);
    if (isWhole) await markUploaded(userId, entryId);
  } catch (error) {
    // The person just removed it.
    if (!(error instanceof AppError && error.code === 'not_found')) throw error;
  }
}

const saveCheckTime = ({ entryId }: PendingUpload) =>
  db()
    .update(entries)
    .set({ uploadCheckedAt: sql`now()` })
    .where(and(eq(entries.id, entryId), eq(entries.videoStatus, 'uploading')));

/** How many uploads one run checks at most. */
const BATCH = 500;
/** How long a run may start new checks, in milliseconds. */
const BUDGET_MS = 45_000;
const STORAGE_TIMEOUT_MS = 5000;

function* until<T>(end: number, things: T[]): Generator<T> {
  for (const thing of things) {
    if (performance.now() > end) return;
    yield thing;
  }
}

/**
 * Completes uploads that arrived without the browser's confirmation, longest due first. While storage is down, a run
 * asks about one upload only, and that doesn't count as a check.
 * @throws Error if storage is down, or after trying all of them, if any failed
 */
async function markArrived(): Promise<void> {
  const waiting = await db()
    .select({ entryId: entries.id, userId: entries.userId, size: uploads.size })
    .from(entries)
    .leftJoin(uploads, eq(uploads.entryId, entries.id))
    .where(and(isUnfinished, mayHaveArrived, lt(nextCheck, sql`now()`)))
    .orderBy(nextCheck)
    .limit(BATCH);
  /** Whether storage or the database is down. */
  let isDown = false;
  await attemptAll(
    'uploads: settle',
    until(performance.now() + BUDGET_MS, waiting),
    async (upload) => {
      try {
        await completeIfStored(upload);
      } catch (error) {
        isDown = true;
        if (await isStorageReachable(STORAGE_TIMEOUT_MS)) {
          await saveCheckTime(upload);
          isDown = false;
        }
        throw error;
      }
      await saveCheckTime(upload);
    },
    { name: ({ entryId }) => entryId, shouldContinue: () => !isDown },
  );
}

/**
 * Finishes uploads whose browser went away before confirming them. Completes those that storage has all of, and deletes
 * those that are still incomplete a day after their last activity, which frees their space.
 * @throws Error after trying all of them, if any failed
 */
export async function reconcileAbandonedUploads(): Promise<void> {
  await runAll('uploads: abandoned', { arrived: markArrived, silent: abandonSilentUpload });
}
