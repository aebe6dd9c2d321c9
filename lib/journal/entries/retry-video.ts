import { and, eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { headObject } from '@/lib/clients/storage-objects';
import { AppError } from '@/lib/foundation/contract/errors';
import { startedOf, startJobs } from '@/lib/messaging/outbox/entry-jobs';
import type { Entry } from './contract';
import { entryKey } from './keys';
import { getEntry } from './service';

/**
 * Processes a video again that couldn't be processed. A transcript that failed with it is made again too.
 * @throws AppError `not_found`, or `conflict` unless the video failed, isn't held by the plan, and is still in storage
 */
export async function retryVideo(userId: string, entryId: string): Promise<Entry> {
  const isFailed = and(
    ownedEntry(userId, entryId),
    eq(entries.videoStatus, 'failed'),
    eq(entries.heldByPlan, false),
  );
  const [failed] = await db().select({ etag: entries.sourceEtag }).from(entries).where(isFailed);
  const uploaded = failed && (await headObject(entryKey(userId, entryId, 'source')));
  if (failed && (!uploaded || (failed.etag !== null && uploaded.etag !== failed.etag))) {
    throw new AppError('conflict', { message: 'We no longer have this video. Upload it again.' });
  }
  const retried = await db().transaction(async (tx) => {
    const [before] = await tx
      .select({ transcriptStatus: entries.transcriptStatus })
      .from(entries)
      .where(isFailed)
      .for('no key update');
    if (!before) return false;
    const isTranscriptFailed = before.transcriptStatus === 'failed';
    await tx
      .update(entries)
      .set({
        videoStatus: 'processing',
        videoError: null,
        transcriptError: null,
        ...(isTranscriptFailed ? { transcriptStatus: 'processing' } : {}),
      })
      .where(isFailed);
    const entry = { entryId, userId };
    await startJobs(tx, 'video', [entry]);
    // Otherwise, the job of the video starts it.
    if (isTranscriptFailed && (await startedOf(tx, 'transcript', [entry])).size > 0)
      await startJobs(tx, 'transcript', [entry]);
    return true;
  });
  const entry = await getEntry(userId, entryId);
  if (!retried) throw new AppError('conflict', { message: 'There’s nothing to process again.' });
  return entry;
}
