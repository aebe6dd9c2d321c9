import { and, eq, ne, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { attemptAll } from '@/lib/attempt-all';
import { entryKey } from '@/lib/entries/keys';
import { log } from '@/lib/log';
import { MediaError } from '@/lib/media/errors';
import { failVideo } from '@/lib/processing/video';
import { deleteObject, headObject } from '@/lib/services/storage';

interface Expired {
  entryId: string;
  userId: string;
  sourceEtag: string | null;
}

async function checkForReplacement({ entryId, userId, sourceEtag }: Expired): Promise<void> {
  const key = entryKey(userId, entryId, 'source');
  const object = await headObject(key);
  if (sourceEtag && object && object.etag !== sourceEtag) {
    await deleteObject(key);
    await failVideo({ userId, entryId }, new MediaError('replaced').message);
    log.warn({ event: 'upload.replaced', entryId }, 'uploads: deleted an object uploaded after completion');
  }
  await db()
    .update(entries)
    .set({ uploadExpiresAt: null })
    .where(and(eq(entries.id, entryId), eq(entries.userId, userId)));
}

/**
 * Deletes what was sent to an upload's address after the upload had been completed, once the address has expired. An
 * entry that had not been processed by then fails with a sentence; what can be played stays so. Entries in the trash
 * are included. Uploads that were never completed are left to `settleAbandonedUploads`.
 * @throws Error after all were tried, when one can't be checked
 */
export async function checkExpiredUploadUrls(): Promise<void> {
  const expired = await db()
    .select({ entryId: entries.id, userId: entries.userId, sourceEtag: entries.sourceEtag })
    .from(entries)
    .where(
      and(
        // Lets requests that began just before finish.
        sql`${entries.uploadExpiresAt} < now() - interval '5 minutes'`,
        ne(entries.videoStatus, 'uploading'),
      ),
    )
    .limit(500);
  await attemptAll('uploads: expired address', expired, checkForReplacement, {
    name: ({ entryId }) => entryId,
  });
}
