import { readWholeDraft } from '@/components/capture/recorder/captions/words-store';
import { deleteLocalCopy, readLocalCopy } from '@/components/capture/recorder/recording-store';
import type { LiveUpload } from '@/components/capture/uploads/transfer/live-upload';
import {
  type Upload,
  type UploadEvents,
  uploadFile,
} from '@/components/capture/uploads/transfer/upload-file';
import { callForUpload, retry } from '@/components/device/transfer/retry';
import { call } from '@/lib/api/shared/client';
import { ApiError, logRejected } from '@/lib/foundation/contract/shared/api-error';
import { withTimeout } from '@/lib/foundation/shared/with-timeout';
import { fromIso, toIso } from '@/lib/journal/entries/shared/calendar';
import type { NewNote } from '@/lib/journal/notes/contract';
import type { DraftTranscript } from '@/lib/video/speech/draft';
import { deleteStoredUpload, listAllUploads, readStoredFile, type StoredUpload } from './upload-store';

/** A video to upload: a recording that was just made, one that was recovered, or a file. */
export interface VideoUpload extends Upload {
  /** The entry's tags. */
  tagIds?: readonly string[];
  /** The notes that the entry gets: the marks of a recording. */
  notes?: readonly NewNote[];
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

/** The Web Lock that's held while an upload is sent. */
export const lockName = (id: string): string => `daylight-upload-${id}`;

/** Returns what belongs to an entry besides its video, as far as there's any. */
const detailsOf = ({ tagIds, question, notes }: Pick<StoredUpload, 'tagIds' | 'question' | 'notes'>) => ({
  ...(tagIds && { tagIds }),
  ...(question !== undefined && { question }),
  ...(notes && { notes }),
});

/** Returns what to store of an upload. @param sent the bytes uploaded so far */
export function toStored(owner: string, video: VideoUpload, sent: number): StoredUpload {
  const { id, file, title, date } = video;
  const { name, size, lastModified } = file;
  const isRecording = video.recording?.hasCopy ?? false;
  const about = { id, owner, title, date: toIso(date), name, size, lastModified, sent, isRecording };
  return { ...about, ...detailsOf(video) };
}

/** Returns what's needed to continue an upload that was stored; null if its file has to be chosen again. */
async function restore(upload: StoredUpload): Promise<VideoUpload | null> {
  const { id, title } = upload;
  const date = fromIso(upload.date);
  if (!date) return null;
  const about = { id, title, date, ...detailsOf(upload) };
  if (!upload.isRecording) {
    const file = await readStoredFile(id);
    return file && { ...about, file };
  }
  const copy = await readLocalCopy(id);
  return (
    copy && {
      ...about,
      file: copy.file,
      inBackground: true,
      recording: { live: null, hasCopy: true, draft: readWholeDraft(id, copy.length) },
    }
  );
}

/**
 * Returns the unfinished uploads of an account, or of all, each with what's needed to continue it.
 * @throws DOMException if this browser's storage can't be read
 */
export async function listStoredUploads(owner?: string) {
  const uploads = (await listAllUploads()).filter((upload) => owner === undefined || upload.owner === owner);
  const restored: { upload: StoredUpload; video: VideoUpload | null }[] = [];
  for (const upload of uploads) {
    const video = await restore(upload);
    // Without its recording, there's nothing that could be chosen again.
    if (upload.isRecording && !video) await deleteStoredUpload(upload.id);
    else restored.push({ upload, video });
  }
  return restored;
}

/** How long the last words may take after the video is uploaded, in milliseconds. */
const DRAFT_TIMEOUT = 20_000;

/** Tags the entry of a finished upload. @returns whether that worked */
async function saveTags({ tagIds = [] }: VideoUpload, entryId: string): Promise<boolean> {
  if (tagIds.length === 0) return true;
  const body = { categories: [...tagIds] };
  const options = { params: { id: entryId }, body, onExpired: 'throw' } as const;
  return (await call('POST /entry/:id/categories', options).catch(() => null)) !== null;
}

/**
 * Adds the notes of a finished upload to its entry. Waits for a network and a server, since nothing else has them.
 * @returns whether that worked
 * @throws ApiError if the session is over; or the signal's reason if it's aborted
 */
async function saveNotes(
  { notes = [] }: VideoUpload,
  entryId: string,
  events: UploadEvents,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    for (const body of notes) {
      const post = () => callForUpload('POST /entry/:id/notes', { params: { id: entryId }, body }, signal);
      await retry(post, events, signal);
    }
    return true;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 401) throw error;
    logRejected(error);
    return false;
  }
}

/** Sends what was heard in a recording, once that's complete. @returns false if it failed */
async function saveDraft({ recording }: VideoUpload, entryId: string, signal: AbortSignal): Promise<boolean> {
  const draft = await recording?.draft;
  if (!draft) return true;
  const { words, logProbability } = draft;
  const body = { transcription: { words }, draft: true, logProbability };
  const options = { params: { id: entryId }, body };
  // It may fail: the server's own transcript comes in any case.
  return (await callForUpload('POST /entry/:id/transcription', options, signal).catch(logRejected)) !== null;
}

/** Returns whether storage has all of this file, by its size and the checksum of every part. */
async function isStored(entryId: string, file: File, md5s: readonly string[]): Promise<boolean> {
  const state = await call('GET /entry/:id/upload', { params: { id: entryId }, onExpired: 'throw' });
  const stored = new Map(state.parts.map(({ number, md5 }) => [number, md5]));
  return (
    state.complete &&
    state.size === file.size &&
    stored.size === md5s.length &&
    md5s.every((md5, index) => stored.get(index + 1) === md5)
  );
}

/**
 * Uploads a video with its words, tags, and notes, and deletes what this device has of it. Needs no page, so that a service worker
 * can do it, too.
 * @param failFast whether to give up at once if the server can't open it
 * @param beforeCleanUp called once everything is sent, before this device's copies are deleted
 * @returns why the upload wasn't confirmed, or null; and whether its tags and its notes were saved
 * @throws StorageError; ApiError; DOMException if the file can't be read anymore; or the signal's reason if it's aborted
 */
export async function sendUpload(
  video: VideoUpload,
  failFast: () => boolean,
  events: UploadEvents,
  signal: AbortSignal,
  beforeCleanUp: () => Promise<void> = async () => {},
): Promise<{ completionError: unknown; areTagsSaved: boolean; areNotesSaved: boolean }> {
  const { id, file, recording } = video;
  let draftSaved: Promise<boolean> | null = null;
  const opened: UploadEvents = {
    ...events,
    onOpened(entryId) {
      events.onOpened(entryId);
      draftSaved ??= saveDraft(video, entryId, signal);
    },
  };
  // First, since what a recording has opened is known then.
  const sent = recording?.live?.waitUntilSent(opened, signal) ?? Promise.resolve([]);
  const options = { sent, failFast: failFast() };
  const { entryId, md5s, completionError } = await uploadFile(video, options, opened, signal);

  /** Waits for the draft, and tries once more if it failed. */
  async function finishDraft(): Promise<void> {
    if (!recording?.draft || !draftSaved || signal.aborted) return;
    const isSaved = await withTimeout(draftSaved, DRAFT_TIMEOUT, () => true);
    if (!isSaved) await saveDraft(video, entryId, signal);
  }
  const [areTagsSaved, areNotesSaved] = await Promise.all([
    saveTags(video, entryId),
    saveNotes(video, entryId, events, signal),
    finishDraft(),
  ]);
  // A recording's copy stays until the server has confirmed all of it.
  const isSafe =
    recording?.hasCopy && !completionError && (await isStored(entryId, file, md5s).catch(logRejected));
  await beforeCleanUp();
  if (isSafe) await deleteLocalCopy(id).catch(() => {});
  await deleteStoredUpload(id);
  return { completionError, areTagsSaved, areNotesSaved };
}
