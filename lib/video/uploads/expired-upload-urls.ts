import { and, eq, ne, notLike, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { deleteObject, headObject } from '@/lib/clients/storage-objects';
import { attemptAll } from '@/lib/foundation/attempt-all';
import { log } from '@/lib/foundation/log';
import { entryKey } from '@/lib/journal/entries/keys';
import type { EntryRef } from '@/lib/messaging/outbox/entry-jobs';
import { MediaError } from '@/lib/video/media/errors';
import { acceptVersion } from '@/lib/video/processing/source-version';
import { failVideo } from '@/lib/video/processing/video';

interface Expired extends EntryRef {
  sourceEtag: string | null;
  storedOnce: boolean;
  /** Whether it has a copy that plays, besides the upload itself. */
  hasCopy: boolean;
}

async function checkForReplacement({
  entryId,
  userId,
  sourceEtag,
  storedOnce,
  hasCopy,
}: Expired): Promise<void> {
  const key = entryKey(userId, entryId, 'source');
  const object = await headObject(key);
  if (storedOnce) {
    // Should the video be lost, this is the only copy.
    if (object && (await headObject(entryKey(userId, entryId, 'video.mp4')))) await deleteObject(key);
  } else if (sourceEtag && object && object.etag !== sourceEtag) {
    // Nothing must be deleted that may be what was completed, sent twice.
    if (await acceptVersion({ userId, entryId }, !hasCopy)) {
      log.warn({ event: 'upload.resent', entryId }, 'uploads: an object was uploaded again after completion');
    } else {
      await deleteObject(key);
      await failVideo({ userId, entryId }, new MediaError('replaced').message);
      log.warn({ event: 'upload.replaced', entryId }, 'uploads: deleted an object uploaded after completion');
    }
  }
  await db()
    .update(entries)
    .set({ uploadExpiresAt: null })
    .where(and(eq(entries.id, entryId), eq(entries.userId, userId)));
}

/**
 * Deletes uploads that aren't needed beside the video, and objects that were replaced after their upload was completed,
 * once the upload URL has expired. An entry that
 * hasn't been processed by then fails; a video that plays keeps playing. An object with the same bytes stays, and so does
 * an entry's only copy if nothing tells what it was before. Includes entries in the trash.
 * {@link reconcileAbandonedUploads} handles uploads that were never completed.
 * @throws Error after trying all of them, if any couldn't be checked
 */
export async function checkExpiredUploadUrls(): Promise<void> {
  const expired = await db()
    .select({
      entryId: entries.id,
      userId: entries.userId,
      sourceEtag: entries.sourceEtag,
      storedOnce: entries.storedOnce,
      hasCopy: sql<boolean>`coalesce(${notLike(entries.videoKey, '%/source')}, false)`,
    })
    .from(entries)
    .where(
      and(
        // Leaves time for requests that started just before it expired.
        sql`${entries.uploadExpiresAt} < now() - interval '5 minutes'`,
        ne(entries.videoStatus, 'uploading'),
      ),
    )
    .limit(500);
  await attemptAll('uploads: expired address', expired, checkForReplacement, {
    name: ({ entryId }) => entryId,
  });
}
