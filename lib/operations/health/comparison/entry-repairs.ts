import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type Database, db, type Transaction } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { entryJobs } from '@/db/schema/jobs';
import { previews } from '@/db/schema/previews';
import { deleteObject, md5OfObject } from '@/lib/clients/storage-objects';
import { startJobs } from '@/lib/messaging/outbox/entry-jobs';
import type { EntryIssue } from './entry-issues';
import type { EntryRow } from './entry-rows';

/** Selects an entry's row while it's as it was compared. */
const unchanged = (row: EntryRow, more?: SQL) =>
  and(
    eq(entries.id, row.id),
    eq(entries.userId, row.userId),
    eq(entries.videoStatus, row.videoStatus),
    eq(entries.transcriptStatus, row.transcriptStatus),
    more,
  );

/** Changes an entry's row while it's as it was compared. @returns whether it was */
async function changeRow(
  row: EntryRow,
  change: Partial<typeof entries.$inferInsert>,
  more?: SQL,
  tx: Database | Transaction = db(),
): Promise<boolean> {
  const changed = await tx
    .update(entries)
    .set(change)
    .where(unchanged(row, more))
    .returning({ id: entries.id });
  return changed.length > 0;
}

type CopyLost = Extract<EntryIssue, { kind: 'copy-lost' }>;

/**
 * Has what an entry has lost made again: by processing its original again, or from the video that plays. The row no
 * longer refers to what's lost. Entries in the trash are processed when they're restored. A thumbnail can't be made
 * without the original, so the row goes on referring to it.
 * @returns whether all of it will be made again
 */
async function makeCopies(row: EntryRow, { lost, hasSource }: CopyLost): Promise<boolean> {
  const isReady = row.videoStatus === 'ready';
  const canMakeThumbnail = lost.thumbnail && hasSource;
  const isProcessedAgain = isReady && hasSource && (lost.video || lost.thumbnail);
  const ref = { entryId: row.id, userId: row.userId };
  return db().transaction(async (tx) => {
    const change = {
      ...(lost.video && { videoKey: null }),
      ...(lost.small && { smallVersion: null }),
      ...(canMakeThumbnail && { thumbnailKey: null }),
      ...(isProcessedAgain && { videoStatus: 'processing' as const }),
      id: row.id,
    };
    if (!(await changeRow(row, change, undefined, tx))) return false;
    // Without the waveform, they count as unfinished.
    if (lost.storyboard)
      await tx.update(previews).set({ storyboard: null, waveform: null }).where(eq(previews.entryId, row.id));
    const isRepaired = !lost.thumbnail || canMakeThumbnail;
    if (row.isTrashed) return isRepaired;
    // The job of the video starts the one of the previews.
    if (isProcessedAgain) await startJobs(tx, 'video', [ref]);
    else if (isReady && (lost.storyboard || lost.small)) await startJobs(tx, 'previews', [ref]);
    return isRepaired;
  });
}

/**
 * Records the ETag that an original has now. Nobody could have replaced it since the address it was uploaded to has
 * expired, and it was compared with its ETag after that. Before that, its bytes decide.
 */
async function recordEtag(row: EntryRow, source: { key: string; etag: string }): Promise<boolean> {
  const isPinned = row.uploadExpiresAt === null;
  if (!isPinned && (await md5OfObject(source.key)) !== row.sourceEtag) return false;
  return changeRow(row, { sourceEtag: source.etag }, sql`${entries.sourceEtag} = ${row.sourceEtag}`);
}

/** Deletes a temporary file. The locks keep jobs from starting meanwhile, and a running one keeps its file. */
async function deleteLeftover(row: EntryRow, { key }: { key: string }): Promise<boolean> {
  return db().transaction(async (tx) => {
    const [entry] = await tx.select({ id: entries.id }).from(entries).where(unchanged(row)).for('update');
    if (!entry) return false;
    const jobs = await tx
      .select({
        isRunning: sql<boolean>`${entryJobs.holder} is not null
        and ${entryJobs.beatAt} > now() - interval '1 day'`,
      })
      .from(entryJobs)
      .where(eq(entryJobs.entryId, row.id))
      .for('update');
    if (jobs.some(({ isRunning }) => isRunning)) return false;
    await deleteObject(key);
    return true;
  });
}

/** Repairs an issue if that's safe. @returns whether it did */
export async function repairEntry(row: EntryRow, issue: EntryIssue): Promise<boolean> {
  switch (issue.kind) {
    case 'copy-lost':
      return makeCopies(row, issue);
    case 'etag-changed':
      return recordEtag(row, issue.source);
    case 'size-wrong':
      return changeRow(row, { bytes: issue.source.size }, eq(entries.bytes, row.bytes));
    case 'object-leftover':
      return deleteLeftover(row, issue.object);
    default:
      return false;
  }
}
