import path from 'node:path';
import { and, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { entryKey } from '@/lib/entries/keys';
import { log } from '@/lib/log';
import { MediaError } from '@/lib/media/errors';
import { type MediaProbe, probe } from '@/lib/media/probe';
import { makePlayableRemux, makeRendition, planRendition } from '@/lib/media/rendition';
import { makeThumbnail } from '@/lib/media/thumbnail';
import { admitVideo } from '@/lib/plans/held-videos';
import { deleteObject, headObject } from '@/lib/services/storage';
import {
  deleteObjectsIfPurged,
  type EntryRef,
  fetchEntryFile,
  ffmpegTool,
  isActiveEntry,
  publishFiles,
  removeCachedCopies,
  updateActiveEntry,
  withStepFolder,
} from './entry-files';

const PERMANENT = new Set(['unreadable', 'source_missing', 'no_video', 'replaced', 'too_large']);

/**
 * A step's outcome: its result, what to tell the owner if the file itself is at fault, or that the entry is gone. Any
 * other failure is thrown, and the step is retried.
 */
export type StepOutcome<T> = { done: T } | { refused: string } | { gone: true };

/**
 * Runs a step on an active entry and classifies its errors.
 * @param attempt counts from 0; an ffmpeg failure that happens again on the second attempt is permanent
 */
export async function runEntryStep<T>(
  entry: EntryRef,
  attempt: number,
  work: () => Promise<T>,
): Promise<StepOutcome<T>> {
  if (!(await isActiveEntry(entry))) {
    // An earlier attempt may have been killed between its upload and the check after it.
    await deleteObjectsIfPurged(entry);
    await removeCachedCopies(entry.entryId);
    return { gone: true };
  }
  try {
    return { done: await work() };
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    log.warn({ entryId: entry.entryId, kind: error.kind, attempt }, 'media: a step failed');
    const passing = error.kind === 'disk_full' || error.kind === 'no_ffmpeg';
    if (PERMANENT.has(error.kind) || (attempt > 0 && !passing)) return { refused: error.message };
    throw error;
  }
}

/** Probes the uploaded file, and holds the entry if the plan doesn't have enough time for it. */
export async function probeSource(entry: EntryRef): Promise<MediaProbe | 'held'> {
  const source = await withStepFolder(entry.entryId, async (folder) =>
    probe(await ffmpegTool(), await fetchEntryFile(entry, 'source', folder)),
  );
  const admission = await admitVideo(entry, {
    bytes: source.sizeBytes,
    durationMs: Math.round(source.durationSeconds * 1000),
    width: source.video.width,
    height: source.video.height,
  });
  return admission === 'held' ? 'held' : source;
}

export async function publishThumbnail(entry: EntryRef, source: MediaProbe): Promise<void> {
  await withStepFolder(entry.entryId, async (folder) => {
    const file = path.join(folder, 'thumbnail.jpg');
    await makeThumbnail(await ffmpegTool(), await fetchEntryFile(entry, 'source', folder), file, source);
    const thumbnailKey = entryKey(entry.userId, entry.entryId, 'thumbnail.jpg');
    await publishFiles(entry, [{ name: 'thumbnail.jpg', file, contentType: 'image/jpeg' }], () =>
      updateActiveEntry(entry, { thumbnailKey }),
    );
  });
}

/** A transcode takes about as long as the video on a slow machine; six times as long is hopeless. */
const timeoutSeconds = (source: MediaProbe) => Math.min(Math.max(source.durationSeconds * 6, 120), 6 * 3600);

/** Returns whether the final video will take long, so that a remux is worth it. */
export const needsTranscode = (source: MediaProbe) => planRendition(source) === 'transcode';

/** Publishes a quick copy that browsers can play while the final video is encoded, if possible. */
export async function publishRemux(entry: EntryRef, source: MediaProbe): Promise<void> {
  await withStepFolder(entry.entryId, async (folder) => {
    const file = path.join(folder, 'remux');
    const maxSeconds = timeoutSeconds(source);
    const made = await makePlayableRemux(
      await ffmpegTool(),
      await fetchEntryFile(entry, 'source', folder),
      file,
      source,
      { maxSeconds },
    );
    if (!made) return;
    const name = made.contentType === 'video/webm' ? 'remux.webm' : 'remux.mp4';
    const videoKey = entryKey(entry.userId, entry.entryId, name);
    await publishFiles(entry, [{ name, file, contentType: made.contentType }], () =>
      updateActiveEntry(entry, { videoKey }),
    );
  });
}

/**
 * Publishes the final video, a progressive MP4 that every browser plays.
 * @returns false if the entry was removed in the meantime
 */
export async function publishVideo(entry: EntryRef, source: MediaProbe): Promise<boolean> {
  return withStepFolder(entry.entryId, async (folder) => {
    const file = path.join(folder, 'video.mp4');
    const maxSeconds = timeoutSeconds(source);
    const { probe: made } = await makeRendition(
      await ffmpegTool(),
      await fetchEntryFile(entry, 'source', folder),
      file,
      source,
      { maxSeconds },
    );
    const videoKey = entryKey(entry.userId, entry.entryId, 'video.mp4');
    const published = await publishFiles(entry, [{ name: 'video.mp4', file, contentType: 'video/mp4' }], () =>
      updateActiveEntry(entry, {
        videoKey,
        videoStatus: 'ready',
        durationMs: Math.round(made.durationSeconds * 1000),
        width: made.video.width,
        height: made.video.height,
      }),
    );
    // A run before a restore may have left its copy here.
    await removeCachedCopies(entry.entryId, 'video.mp4');
    return published;
  });
}

const REMUX_NAMES = ['remux.mp4', 'remux.webm'] as const;

/** Returns whether the remux is still in storage. */
export async function hasRemux(entry: EntryRef): Promise<boolean> {
  for (const name of REMUX_NAMES) {
    if (await headObject(entryKey(entry.userId, entry.entryId, name))) return true;
  }
  return false;
}

/** Deletes the remux, which the player no longer uses. */
export async function deleteRemux(entry: EntryRef): Promise<void> {
  for (const name of REMUX_NAMES) {
    await deleteObject(entryKey(entry.userId, entry.entryId, name));
  }
}

/** Marks an entry's video as failed, with a sentence for its owner. Doesn't change a video that already plays. */
export async function failVideo(entry: EntryRef, sentence: string): Promise<void> {
  await db()
    .update(entries)
    .set({
      videoStatus: 'failed',
      videoError: sentence,
      transcriptStatus: sql`case when ${entries.transcriptStatus} = 'processing' then 'failed' else ${entries.transcriptStatus} end`,
      transcriptError: sql`case when ${entries.transcriptStatus} = 'processing' then ${sentence} else ${entries.transcriptError} end`,
    })
    .where(
      and(
        ownedEntry(entry.userId, entry.entryId),
        sql`${entries.videoStatus} <> 'ready' and not ${entries.heldByPlan}`,
      ),
    );
}
