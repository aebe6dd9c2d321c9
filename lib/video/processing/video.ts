import path from 'node:path';
import { and, eq, like, sql } from 'drizzle-orm';
import { type Database, db, type Transaction } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { entryJobs } from '@/db/schema/jobs';
import { previews } from '@/db/schema/previews';
import { admitVideo } from '@/lib/billing/plans/held-videos';
import { findExceededLimit } from '@/lib/billing/plans/shared/file-limits';
import { env } from '@/lib/foundation/env';
import { record } from '@/lib/foundation/telemetry/metrics';
import { checksumFile, saveChecksum } from '@/lib/journal/entries/checksums';
import { entryKey } from '@/lib/journal/entries/keys';
import { sendDue } from '@/lib/messaging/outbox/delivery';
import { type EntryRef, isCurrentRun, startJobs } from '@/lib/messaging/outbox/entry-jobs';
import { MediaError } from '@/lib/video/media/errors';
import type { MediaProbe } from '@/lib/video/media/media-probe';
import { probe } from '@/lib/video/media/probe';
import { makeRendition } from '@/lib/video/media/rendition';
import { playsFirstSound } from '@/lib/video/media/rendition-plan';
import { makeStoryboard } from '@/lib/video/media/storyboard';
import { makeThumbnail } from '@/lib/video/media/thumbnail';
import { measureWaveform } from '@/lib/video/media/waveform';
import { endPreviews, savePreviews } from '@/lib/video/previews/service';
import {
  type EntryStep,
  findActiveEntry,
  publishFiles,
  removeCachedCopies,
  updateActiveEntry,
  withEntryFile,
} from './entry-files';
import { jobMaxBytes } from './job-limits';
import { VIDEO_REVISION } from './revision';
import { isRecording, storeApart, storedOnceValues } from './stored-once';
import { assertFitsStep } from './video-time';

/**
 * Throws for a video over a limit that doesn't depend on what's in it; {@link assertFitsStep} has the other one.
 * @throws MediaError `too_large`, with a sentence that says what the limit is
 */
function assertWithinLimits(video: { bytes?: number | undefined; seconds?: number }): void {
  const exceeded = findExceededLimit({ bytes: jobMaxBytes(), seconds: env().JOB_MAX_SECONDS ?? null }, video);
  // The entry's page says what to do.
  if (exceeded) throw new MediaError('too_large', 'over the limit of the jobs here', exceeded.problem);
}

/** How much longer than declared a video may turn out to be, in seconds: its frames and its sound end at different times. */
const LENGTH_TOLERANCE = 1;

/**
 * Probes the uploaded file, and holds the entry if the plan doesn't have enough time for it. A file over the limits of
 * the jobs isn't even downloaded.
 */
export async function probeSource(entry: EntryStep): Promise<MediaProbe | 'held'> {
  assertWithinLimits({ bytes: (await findActiveEntry(entry))?.bytes });
  const source = await withEntryFile(entry, 'source', ({ tool, input, signal }) =>
    probe(tool, input, { signal }),
  );
  assertWithinLimits({ seconds: source.durationSeconds - LENGTH_TOLERANCE });
  const admission = await admitVideo(entry, {
    bytes: source.sizeBytes,
    durationMs: Math.round(source.durationSeconds * 1000),
    width: source.video.width,
    height: source.video.height,
  });
  return admission === 'held' ? 'held' : source;
}

export async function publishThumbnail(entry: EntryStep, source: MediaProbe): Promise<void> {
  await withEntryFile(entry, 'source', async ({ folder, ...found }) => {
    const file = path.join(folder, 'thumbnail.jpg');
    await makeThumbnail({ ...found, source }, file);
    const thumbnailKey = entryKey(entry.userId, entry.entryId, 'thumbnail.jpg');
    await publishFiles(entry, [{ name: 'thumbnail.jpg', file, contentType: 'image/jpeg' }], () =>
      updateActiveEntry(entry, { thumbnailKey }),
    );
  });
}

/** A transcode takes about as long as the video on a slow machine; six times as long is hopeless. */
export const timeoutSeconds = (source: MediaProbe) =>
  Math.min(Math.max(source.durationSeconds * 6, 120), 6 * 3600);

/** Returns what the owner of a video is told whose sound can't be decoded. */
export const describeUnreadableSound = (format: string) =>
  `The sound is in a format we can’t read (${format}). The video plays without it.`;

/**
 * Publishes the final video, a progressive MP4 that every browser plays, and requests its previews.
 * @returns false if the entry was removed in the meantime
 * @throws MediaError; `too_slow`, before anything is downloaded, if encoding would take longer than a step may
 */
export async function publishVideo(entry: EntryStep, source: MediaProbe): Promise<boolean> {
  await assertFitsStep(source);
  return withEntryFile(entry, 'source', async ({ folder, ...found }) => {
    const file = path.join(folder, 'video.mp4');
    const row = await findActiveEntry(entry);
    const replaces = row !== undefined && isRecording(row, source);
    const made = await makeRendition({ ...found, source }, file, timeoutSeconds(source), { replaces });
    if (!made.isComplete && !(await storeApart(entry, found.input))) return false;
    const videoSums = await checksumFile(file, entry.signal);
    const sourceSums = made.isComplete ? videoSums : await checksumFile(found.input, entry.signal);
    // From a disk, players find the index wherever it is. They play the first sound.
    const playsFromDisk = source.container === 'mp4' && !source.fragmented && playsFirstSound(source);
    const playable = made.isComplete || (made.plan === 'copy' && playsFromDisk);
    const videoKey = entryKey(entry.userId, entry.entryId, 'video.mp4');
    const files = [{ name: 'video.mp4', file, contentType: 'video/mp4' }] as const;
    const published = await publishFiles(entry, files, async () => {
      const kept = made.isComplete ? await storedOnceValues(entry, videoSums.bytes) : {};
      return db().transaction(async (tx) => {
        const values = {
          ...kept,
          videoKey,
          videoVersion: videoSums.sha256.slice(0, 12),
          videoRevision: VIDEO_REVISION,
          // The one in storage is of the former video.
          smallVersion: null,
          videoStatus: 'ready',
          videoError: null,
          soundError: source.unreadableSound && describeUnreadableSound(source.unreadableSound),
          durationMs: Math.round(made.probe.durationSeconds * 1000),
          width: made.probe.video.width,
          height: made.probe.video.height,
        } as const;
        const recorded = await updateActiveEntry(entry, values, { tx });
        if (!recorded) return false;
        await saveChecksum(tx, entry.entryId, 'source', { ...sourceSums, playable });
        await saveChecksum(tx, entry.entryId, 'video.mp4', { ...videoSums, playable: true });
        // Those of a former video count as unfinished from now on, so that the watchdog looks after them.
        await tx.update(previews).set({ waveform: null }).where(eq(previews.entryId, entry.entryId));
        await startJobs(tx, 'previews', [entry]);
        return true;
      });
    });
    // A run before a restore may have left its copy here.
    await removeCachedCopies(entry.entryId, 'video.mp4');
    if (published) {
      record('daylight.video.processed', made.probe.durationSeconds);
      await sendDue('event');
    }
    return published;
  });
}

// Previews are made from the final video: it's seekable, has a key frame every few seconds if it was encoded here, and
// its times are the player's.

/** Probes the final video. @throws MediaError */
export async function probeVideo(entry: EntryStep): Promise<MediaProbe> {
  return withEntryFile(entry, 'video.mp4', ({ tool, input, signal }) => probe(tool, input, { signal }));
}

/** Publishes a storyboard of the final video, if its frames allow one. */
export async function publishStoryboard(entry: EntryStep, source: MediaProbe): Promise<void> {
  await withEntryFile(entry, 'video.mp4', async ({ folder, ...found }) => {
    const file = path.join(folder, 'storyboard.jpg');
    const storyboard = await makeStoryboard({ ...found, source }, file);
    if (!storyboard) return;
    await publishFiles(entry, [{ name: 'storyboard.jpg', file, contentType: 'image/jpeg' }], () =>
      savePreviews(entry.userId, entry.entryId, { storyboard }),
    );
  });
}

/** Publishes a waveform of the final video, if it has audio. */
export async function publishWaveform(entry: EntryStep, source: MediaProbe): Promise<void> {
  await withEntryFile(entry, 'video.mp4', async (found) => {
    const peaks = await measureWaveform({ ...found, source });
    if (peaks.length === 0) return endPreviews(entry);
    await savePreviews(entry.userId, entry.entryId, { waveform: Buffer.from(peaks).toString('base64') });
  });
}

/** What to tell the owner once a run has used up its attempts, or is gone. */
export const VIDEO_FAILED = 'Something went wrong on our end, but your original upload is safe.';

/**
 * Marks an entry's video as failed, with a sentence for its owner. Doesn't change a video that's ready or held, and
 * keeps a first copy that plays. A final video that was to be made again is ready as before. The transcript fails too,
 * unless it has a job of its own, which decides.
 * @param generation the run's; a run that has been superseded changes nothing
 */
export async function failVideo(
  { userId, entryId }: EntryRef,
  sentence: string,
  { tx = db(), generation }: { tx?: Database | Transaction; generation?: number } = {},
): Promise<void> {
  const alone = sql`${entries.transcriptStatus} = 'processing' and not exists (select from ${entryJobs}
    where ${entryJobs.entryId} = ${entries.id} and ${entryJobs.kind} = 'transcript')`;
  const hasFinal = like(entries.videoKey, '%/video.mp4');
  const isUpload = like(entries.videoKey, '%/source');
  const isFileAtFault = sentence !== VIDEO_FAILED;
  await tx
    .update(entries)
    .set({
      videoStatus: sql`case when ${hasFinal} then 'ready' else 'failed' end::video_status`,
      videoError: sql`case when ${hasFinal} then null else ${sentence} end`,
      ...(isFileAtFault && {
        // This revision needn't try again, and what plays isn't what its index said.
        videoRevision: VIDEO_REVISION,
        videoKey: sql`case when ${isUpload} then null else ${entries.videoKey} end`,
      }),
      transcriptStatus: sql`case when ${alone} then 'failed' else ${entries.transcriptStatus} end`,
      transcriptError: sql`case when ${alone} then ${sentence} else ${entries.transcriptError} end`,
    })
    .where(
      and(
        ownedEntry(userId, entryId),
        sql`${entries.videoStatus} <> 'ready' and not ${entries.heldByPlan}`,
        generation === undefined ? undefined : isCurrentRun('video', generation),
      ),
    );
}
