import path from 'node:path';
import { ne } from 'drizzle-orm';
import { entries } from '@/db/schema/entries';
import { deleteObject, headObject } from '@/lib/clients/storage-objects';
import { entryKey } from '@/lib/journal/entries/keys';
import type { EntryRef } from '@/lib/messaging/outbox/entry-jobs';
import type { MediaProbe } from '@/lib/video/media/media-probe';
import { makePlayableRemux } from '@/lib/video/media/rendition';
import {
  type EntryStep,
  findActiveEntry,
  publishFiles,
  updateActiveEntry,
  withEntryFile,
} from './entry-files';
import { timeoutSeconds } from './video';

/**
 * Publishes a quick copy that browsers can play while the final video is encoded, if possible. Does nothing for an
 * entry that has one, since somebody may be watching it.
 */
export async function publishRemux(entry: EntryStep, source: MediaProbe): Promise<void> {
  if ((await findActiveEntry(entry))?.videoKey) return;
  await withEntryFile(entry, 'source', async ({ folder, ...found }) => {
    const file = path.join(folder, 'remux');
    const made = await makePlayableRemux({ ...found, source }, file, timeoutSeconds(source));
    if (!made) return;
    const name = made.contentType === 'video/webm' ? 'remux.webm' : 'remux.mp4';
    const videoKey = entryKey(entry.userId, entry.entryId, name);
    await publishFiles(entry, [{ name, file, contentType: made.contentType }], () =>
      // Never away from the final video.
      updateActiveEntry(entry, { videoKey, videoVersion: null }, { only: ne(entries.videoStatus, 'ready') }),
    );
  });
}

const REMUX_NAMES = ['remux.mp4', 'remux.webm'] as const;

/** Returns whether the remux is still in storage, and the final video has taken its place. */
export async function hasRemux(entry: EntryRef): Promise<boolean> {
  if ((await findActiveEntry(entry))?.videoStatus !== 'ready') return false;
  for (const name of REMUX_NAMES) {
    if (await headObject(entryKey(entry.userId, entry.entryId, name))) return true;
  }
  return false;
}

/** Deletes the remux, unless the player still uses it. */
export async function deleteRemux(entry: EntryRef): Promise<void> {
  if (!(await hasRemux(entry))) return;
  for (const name of REMUX_NAMES) {
    await deleteObject(entryKey(entry.userId, entry.entryId, name));
  }
}
