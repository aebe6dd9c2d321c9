import { sql } from 'drizzle-orm';
import { entries } from '@/db/schema/entries';
import { headObject } from '@/lib/clients/storage-objects';
import { entryKey } from '@/lib/journal/entries/keys';
import type { MediaProbe } from '@/lib/video/media/media-probe';
import { RECORDING_NAME } from '@/lib/video/shared/recording-name';
import { type EntryStep, findActiveEntry, publishFiles, updateActiveEntry } from './entry-files';

/**
 * Returns whether a file was recorded here, in fragments that only we had a use for. Nobody needs it besides a video with
 * all of its packets. Other files are somebody's own, and are kept to the byte.
 */
export function isRecording({ fileName }: { fileName: string }, source: MediaProbe): boolean {
  return source.fragmented && fileName === `${RECORDING_NAME}.mp4`;
}

/**
 * Stores the upload of an entry apart from its video, if it's only in that, which is about to be replaced.
 * @returns false if the entry was removed in the meantime, and the video must stay, since it may be all there is
 */
export async function storeApart(entry: EntryStep, upload: string): Promise<boolean> {
  const row = await findActiveEntry(entry);
  if (!row?.storedOnce) return row !== undefined;
  const made = [{ name: 'source', file: upload, contentType: row.contentType }] as const;
  return publishFiles(entry, made, async () => {
    const object = await headObject(entryKey(entry.userId, entry.entryId, 'source'));
    return updateActiveEntry(entry, { storedOnce: false, sourceEtag: object?.etag || null });
  });
}

/**
 * Returns what to record of an entry whose video is all that's kept of it, once that's in storage. The upload is deleted
 * when the address that it was sent to has expired, since somebody could send it again until then.
 */
export async function storedOnceValues({ userId, entryId }: EntryStep, bytes: number) {
  const video = await headObject(entryKey(userId, entryId, 'video.mp4'));
  return {
    storedOnce: true,
    bytes,
    sourceEtag: video?.etag || null,
    uploadExpiresAt: sql`coalesce(${entries.uploadExpiresAt}, now())`,
  };
}
