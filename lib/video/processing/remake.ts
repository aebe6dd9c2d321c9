import { and, asc, eq, gt, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { entryFiles } from '@/db/schema/exports';
import { previews } from '@/db/schema/previews';
import { transcripts } from '@/db/schema/transcripts';
import { type EntryRef, startJobs } from '@/lib/messaging/outbox/entry-jobs';
import { MediaError } from '@/lib/video/media/errors';
import type { MediaProbe } from '@/lib/video/media/media-probe';
import { probe } from '@/lib/video/media/probe';
import { planRendition } from '@/lib/video/media/rendition-plan';
import { RECORDING_NAME } from '@/lib/video/shared/recording-name';
import { findActiveEntry, removeCachedCopies, withEntryFile } from './entry-files';
import { type RemakeReason, remakeReasons, VIDEO_REVISION } from './revision';
import { isRecording } from './stored-once';
import { describeUnreadableSound, probeVideo } from './video';

/** What owners were told of a file that an earlier revision couldn't read. */
const UNREAD = [new MediaError('unreadable').message, new MediaError('no_video').message];

const isOfEarlierRevision = sql`coalesce(${entries.videoRevision}, 0) < ${VIDEO_REVISION}`;
const isReady = and(eq(entries.videoStatus, 'ready'), isOfEarlierRevision);
const isUnread = and(
  eq(entries.videoStatus, 'failed'),
  inArray(entries.videoError, UNREAD),
  isOfEarlierRevision,
);
const isActive = and(isNull(entries.trashedAt), eq(entries.heldByPlan, false));
const isOutdated = and(isActive, or(isReady, isUnread));

/** Selects ready videos whose upload is stored, too, though they may have all of it: those that were copied, and recordings. */
const isStoredTwice = and(
  isActive,
  eq(entries.videoStatus, 'ready'),
  eq(entries.storedOnce, false),
  or(
    eq(entries.fileName, `${RECORDING_NAME}.mp4`),
    sql`exists (select from ${entryFiles} where ${entryFiles.entryId} = ${entries.id}
      and ${entryFiles.name} = 'source' and ${entryFiles.playable})`,
  ),
);

/** An entry whose video may have to be made again: an earlier revision made it, or couldn't. */
export interface OutdatedVideo extends EntryRef {
  hasFailed: boolean;
}

/** How many are read at once. */
const BATCH = 100;

/**
 * Yields the entries in the order of their ids, also those that are added meanwhile.
 * @param storesOnce also those whose upload may not be needed
 */
export async function* outdatedVideos(storesOnce: boolean): AsyncGenerator<OutdatedVideo> {
  const isWanted = storesOnce ? or(isOutdated, isStoredTwice) : isOutdated;
  for (let after: SQL | undefined; ; ) {
    const rows = await db()
      .select({
        entryId: entries.id,
        userId: entries.userId,
        hasFailed: sql<boolean>`${entries.videoStatus} = 'failed'`,
      })
      .from(entries)
      .where(and(isWanted, after))
      .orderBy(asc(entries.id))
      .limit(BATCH);
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = gt(entries.id, last.entryId);
  }
}

/** Counts the same entries. */
export async function countOutdatedVideos(): Promise<{ failed: number; unchecked: number }> {
  const failed = await db().$count(entries, and(isOutdated, isUnread));
  return { failed, unchecked: (await db().$count(entries, isOutdated)) - failed };
}

/** Counts the entries whose video is being processed, or waits for its turn. */
export const countVideosInProgress = (): Promise<number> =>
  db().$count(
    entries,
    and(isNull(entries.trashedAt), inArray(entries.videoStatus, ['uploaded', 'processing'])),
  );

/** Returns whether an entry's final video has sound. Its waveform tells, which saves a download. @throws MediaError */
async function hasSound(entry: EntryRef): Promise<boolean> {
  const [known] = await db()
    .select({ waveform: previews.waveform })
    .from(previews)
    .where(eq(previews.entryId, entry.entryId));
  return Boolean(known?.waveform) || (await probeVideo(entry)).audio !== null;
}

/** Records that this revision would make the same video. */
async function markChecked({ userId, entryId }: EntryRef, soundError: string | null): Promise<void> {
  await db()
    .update(entries)
    .set({ videoRevision: VIDEO_REVISION, soundError })
    .where(and(ownedEntry(userId, entryId), isOutdated, isReady));
}

/** Returns whether an entry's upload wouldn't be kept beside its video if that were made now. */
async function isNeedlesslyTwice(entry: EntryRef, source: MediaProbe): Promise<boolean> {
  const row = await findActiveEntry(entry);
  if (!row || row.storedOnce) return false;
  return planRendition(source) === 'keep' || isRecording(row, source);
}

/**
 * Compares the video of an entry with what this revision would make of its upload, by downloading them. Records it if
 * that's the same.
 * @param storesOnce whether it's also to be made again if its upload wouldn't be needed then
 * @returns what's wrong with the video; empty if nothing is
 * @throws MediaError if either can't be read
 */
export async function checkVideo(entry: EntryRef, storesOnce: boolean): Promise<RemakeReason[]> {
  try {
    const source = await withEntryFile(entry, 'source', ({ tool, input }) => probe(tool, input));
    const published = { hasSound: source.audio !== null && (await hasSound(entry)) };
    const reasons: RemakeReason[] = remakeReasons(source, published);
    if (storesOnce && (await isNeedlesslyTwice(entry, source))) reasons.push('stored twice');
    const { unreadableSound } = source;
    if (reasons.length === 0) {
      await markChecked(entry, unreadableSound && describeUnreadableSound(unreadableSound));
    }
    return reasons;
  } finally {
    // The job may run elsewhere, and would leave the former video here.
    await removeCachedCopies(entry.entryId);
  }
}

/**
 * Starts the job that makes an entry's video again. The former one plays until then. If its sound was wrong, it's
 * transcribed again, too, unless there's a transcript.
 * @returns false if the entry was removed, or its video was changed in the meantime
 */
export async function startRemake(
  { userId, entryId }: EntryRef,
  reasons: readonly RemakeReason[],
): Promise<boolean> {
  return db().transaction(async (tx) => {
    const [before] = await tx
      .select({
        isSilent: sql<boolean>`${entries.transcriptStatus} in ('no_speech', 'failed')
          and not exists (select from ${transcripts} where ${transcripts.entryId} = ${entries.id})`,
      })
      .from(entries)
      .where(
        and(
          ownedEntry(userId, entryId),
          or(and(isOutdated, isReady), reasons.includes('stored twice') ? isStoredTwice : undefined),
        ),
      )
      .for('no key update');
    if (!before) return false;
    const isHeardAgain = before.isSilent && reasons.includes('sound');
    const words = {
      transcriptStatus: 'processing',
      transcriptError: null,
      transcriptProgress: null,
    } as const;
    await tx
      .update(entries)
      .set({ videoStatus: 'processing', ...(isHeardAgain && words) })
      .where(ownedEntry(userId, entryId));
    await startJobs(tx, 'video', [{ userId, entryId }]);
    if (isHeardAgain) await startJobs(tx, 'transcript', [{ userId, entryId }]);
    return true;
  });
}
