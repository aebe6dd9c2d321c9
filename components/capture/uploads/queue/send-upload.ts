import { deleteLocalCopy } from '@/components/capture/recorder/recording-store';
import { callInTime } from '@/components/capture/uploads/transfer/call-in-time';
import type { LiveUpload } from '@/components/capture/uploads/transfer/live-upload';
import {
  isStored,
  type Upload,
  type UploadEvents,
  type UploadResult,
  uploadFile,
} from '@/components/capture/uploads/transfer/upload-file';
import { call } from '@/lib/api/shared/client';
import { logRejected } from '@/lib/foundation/contract/shared/api-error';
import { withTimeout } from '@/lib/foundation/shared/with-timeout';
import type { DraftTranscript } from '@/lib/video/speech/draft';
import { deleteStoredUpload } from './upload-store';

/** A video to upload: a recording that was just made, one that was recovered, or a file. */
export interface VideoUpload extends Upload {
  /** The entry's tags. */
  tagIds?: readonly string[];
  /** Whether the user goes on meanwhile. Then it waits for a network instead of failing without one. */
  inBackground?: boolean;
  /** Set for a recording. */
  recording?: {
    /** What has uploaded it since it was started; null if nothing has, or nothing that this page knows of. */
    live: LiveUpload | null;
    /** Whether this device has a copy, which survives a reload and stays until the server confirms the upload. */
    hasCopy: boolean;
    /** What was heard in it, once that's complete; null if there's nothing. */
    draft: Promise<DraftTranscript | null> | null;
  };
}

/** How long the last words may take after the video is uploaded, in milliseconds. */
const DRAFT_TIMEOUT = 20_000;

/** Tags the entry of a finished upload. @returns whether that worked */
async function saveTags({ tagIds = [] }: VideoUpload, entryId: string): Promise<boolean> {
  if (tagIds.length === 0) return true;
  const body = { categories: [...tagIds] };
  return call('POST /entry/:id/categories', { params: { id: entryId }, body, onExpired: 'throw' }).then(
    () => true,
    () => false,
  );
}

/** Sends what was heard in a recording, once that's complete. @returns false if it failed */
async function saveDraft({ recording }: VideoUpload, entryId: string, signal: AbortSignal): Promise<boolean> {
  const draft = await recording?.draft;
  if (!draft) return true;
  const { words, logProbability } = draft;
  const body = { transcription: { words }, draft: true, logProbability };
  const options = { params: { id: entryId }, body, onExpired: 'throw' } as const;
  const saved = callInTime(
    (inTime) => call('POST /entry/:id/transcription', { ...options, signal: inTime }),
    signal,
  );
  // The server's own transcript comes in any case.
  return saved.then(
    () => true,
    (error: unknown) => {
      logRejected(error);
      return false;
    },
  );
}

/** Deletes what this device has of an upload; a recording's copy only once the server has confirmed all of it. */
async function cleanUp(
  { id, file, recording }: VideoUpload,
  { entryId, md5s, completionError }: UploadResult,
  before: () => Promise<void>,
): Promise<void> {
  const isSafe =
    recording?.hasCopy && !completionError && (await isStored(entryId, file, md5s).catch(logRejected));
  await before();
  if (isSafe) await deleteLocalCopy(id).catch(() => {});
  await deleteStoredUpload(id);
}

/**
 * Uploads a video with its words and tags, and deletes what this device has of it. Needs no page, so that a service worker
 * can do it, too.
 * @param failFast whether to give up at once if the server can't open it
 * @param beforeCleanUp called once everything is sent, before this device's copies are deleted
 * @returns why the upload wasn't confirmed, or null; and whether its tags were saved
 * @throws StorageError; ApiError; DOMException if the file can't be read anymore; or the signal's reason if it's aborted
 */
export async function sendUpload(
  video: VideoUpload,
  failFast: () => boolean,
  events: UploadEvents,
  signal: AbortSignal,
  beforeCleanUp: () => Promise<void> = async () => {},
): Promise<{ completionError: unknown; areTagsSaved: boolean }> {
  let draftSaved: Promise<boolean> | null = null;
  const opened: UploadEvents = {
    ...events,
    onOpened(entryId) {
      events.onOpened(entryId);
      draftSaved ??= saveDraft(video, entryId, signal);
    },
  };
  // First, since what a recording has opened is known then.
  const sent = video.recording?.live?.waitUntilSent(opened, signal) ?? Promise.resolve([]);
  const result = await uploadFile(video, { sent, failFast: failFast() }, opened, signal);

  /** Waits for the draft, and tries once more if it failed. */
  async function finishDraft(): Promise<void> {
    if (!video.recording?.draft || !draftSaved || signal.aborted) return;
    const isSaved = await withTimeout(draftSaved, DRAFT_TIMEOUT, () => true);
    if (!isSaved) await saveDraft(video, result.entryId, signal);
  }
  const [areTagsSaved] = await Promise.all([saveTags(video, result.entryId), finishDraft()]);
  await cleanUp(video, result, beforeCleanUp);
  return { completionError: result.completionError, areTagsSaved };
}
