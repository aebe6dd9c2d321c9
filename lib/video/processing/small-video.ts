import path from 'node:path';
import { sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { checksumFile } from '@/lib/journal/entries/checksums';
import type { MediaProbe } from '@/lib/video/media/media-probe';
import { makeSmallRendition, needsSmall } from '@/lib/video/media/small-rendition';
import { type EntryStep, publishFiles, updateActiveEntry, withEntryFile } from './entry-files';
import { timeoutSeconds } from './video';
import { smallFitsStep } from './video-time';

/** Returns the versions of an active entry's files. */
async function findVersions({ userId, entryId }: EntryStep) {
  const [row] = await db()
    .select({ video: entries.videoVersion, small: entries.smallVersion })
    .from(entries)
    .where(ownedEntry(userId, entryId));
  return row;
}

/**
 * Publishes a small version of the final video for slow connections, if the video needs one, has none, and there's time
 * for it in a step. A video that's published meanwhile gets its own.
 * @throws MediaError
 */
export async function publishSmallVideo(entry: EntryStep, source: MediaProbe): Promise<void> {
  if (!needsSmall(source)) return;
  const versions = await findVersions(entry);
  if (!versions || versions.small !== null || !(await smallFitsStep(source))) return;
  await withEntryFile(entry, 'video.mp4', async ({ folder, ...found }) => {
    const file = path.join(folder, 'small.mp4');
    await makeSmallRendition({ ...found, source }, file, timeoutSeconds(source));
    const { sha256 } = await checksumFile(file, entry.signal);
    const isStillCurrent = sql`${entries.videoVersion} is not distinct from ${versions.video}`;
    await publishFiles(entry, [{ name: 'small.mp4', file, contentType: 'video/mp4' }], () =>
      updateActiveEntry(entry, { smallVersion: sha256.slice(0, 12) }, { only: isStillCurrent }),
    );
  });
}
