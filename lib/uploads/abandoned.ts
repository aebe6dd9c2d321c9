import { and, eq, exists, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { uploads } from '@/db/schema/uploads';
import { entryKey } from '@/lib/entries/keys';
import { enqueuePurge, purgedColumns } from '@/lib/entries/purge';
import { ownedEntry } from '@/lib/entries/queries';
import { removeEntry } from '@/lib/entries/service';
import { AppError } from '@/lib/http/errors';
import { log } from '@/lib/log';
import { objectFacts } from '@/lib/services/storage';
import { takeArrival } from './arrival';
import { assemble } from './multipart';

/** Deletes an unfinished upload's entry; a job deletes what has arrived. @returns whether there was one */
async function giveUp(userId: string, entryId: string, also?: SQL): Promise<boolean> {
  return db().transaction(async (tx) => {
    const gone = await tx
      .delete(entries)
      .where(
        and(eq(entries.id, entryId), eq(entries.userId, userId), eq(entries.videoStatus, 'uploading'), also),
      )
      .returning(purgedColumns);
    await enqueuePurge(tx, gone);
    return gone.length > 0;
  });
}

/**
 * Gives an unfinished upload up: its room is free at once.
 * @throws AppError `not_found`, and `conflict` when the video has arrived
 */
export async function abortUpload(userId: string, entryId: string): Promise<void> {
  const [entry] = await db()
    .select({ videoStatus: entries.videoStatus })
    .from(entries)
    .where(ownedEntry(userId, entryId));
  if (!entry) throw new AppError('not_found');
  if (entry.videoStatus !== 'uploading') throw new AppError('conflict');
  // Once its multipart upload has ended storage takes no more parts, so its row may go with it.
  const inParts = exists(db().select().from(uploads).where(eq(uploads.entryId, entries.id)));
  if (await giveUp(userId, entryId, and(ownedEntry(userId, entryId), inParts))) return;
  await removeEntry(userId, entryId);
}

interface Waiting {
  entryId: string;
  userId: string;
  title: string;
  size: number | null;
  inParts: boolean;
  givenUp: boolean;
}

async function settle({ entryId, userId, title, size, inParts, givenUp }: Waiting): Promise<void> {
  if (givenUp) await giveUp(userId, entryId);
  else if (inParts && (size === null || title === '')) return;
  else if (inParts && size !== null) {
    if (await assemble(userId, entryId, size)) await takeArrival(userId, entryId);
  } else if ((await objectFacts(entryKey(userId, entryId, 'source')))?.size) {
    await takeArrival(userId, entryId);
  }
}

/**
 * Looks after uploads whose browser went away before it could say that it was done: what has arrived whole is
 * completed, and what has not within a day (of the last part that was asked for, where it is sent in parts) gives
 * its room back, and what has arrived of it goes.
 */
export async function settleAbandonedUploads(): Promise<void> {
  const heardOf = sql`coalesce(${uploads.activeAt}, ${entries.createdAt})`;
  const waiting = await db()
    .select({
      entryId: entries.id,
      userId: entries.userId,
      title: entries.title,
      size: uploads.size,
      inParts: sql<boolean>`${uploads.entryId} is not null`,
      givenUp: sql<boolean>`${heardOf} < now() - interval '24 hours'`,
    })
    .from(entries)
    .leftJoin(uploads, eq(uploads.entryId, entries.id))
    .where(
      and(
        eq(entries.videoStatus, 'uploading'),
        isNull(entries.trashedAt),
        lt(heardOf, sql`now() - interval '10 minutes'`),
      ),
    )
    .limit(500);
  for (const upload of waiting) {
    await settle(upload).catch((error: unknown) =>
      log.warn({ err: error, entryId: upload.entryId }, 'uploads: one could not be settled'),
    );
  }
}
