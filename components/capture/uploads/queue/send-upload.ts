import { createDraftUpload } from '@/components/capture/uploads/transfer/draft-upload';
import type { RecordingHandoff } from '@/components/capture/uploads/transfer/live-upload';
import {
  isStored,
  type UploadEvents,
  type UploadResult,
  uploadFile,
} from '@/components/capture/uploads/transfer/upload-file';
import { call } from '@/lib/api/shared/client';
import { logRejected } from '@/lib/foundation/contract/shared/api-error';
import type { CalendarDate } from '@/lib/journal/entries/shared/calendar';
import type { DraftTranscript } from '@/lib/video/speech/draft';
import { deleteStoredUpload } from './upload-store';

/** A video to upload. */
export interface UploadRequest {
  /** The client_id. For a recording, the id of its local copy. */
  id: string;
  file: File;
  title: string;
  date: CalendarDate;
  /** The entry's tags. */
  tagIds?: readonly string[];
  /** Whether the person goes on meanwhile. Then it waits for a network instead of failing without one. */
  inBackground?: boolean;
  /** For a recording, whose local copy stays until the server confirms the upload. */
  recording?: Pick<RecordingHandoff, 'waitUntilSent'> & {
    deleteCopy(): Promise<void>;
    /** Whether this device has a copy, so that the upload survives a reload. */
    hasCopy: boolean;
    /** What was heard in it, once that's complete; null if there's nothing. */
    draft: Promise<DraftTranscript | null> | null;
  };
}

/** Tags the entry of a finished upload. @returns whether that worked */
async function saveTags({ tagIds = [] }: UploadRequest, entryId: string): Promise<boolean> {
  if (tagIds.length === 0) return true;
  const body = { categories: [...tagIds] };
  return call('POST /entry/:id/categories', { params: { id: entryId }, body, onExpired: 'throw' }).then(
    () => true,
    () => false,
  );
}

/** Deletes what this device has of an upload; a recording's copy only once the server has confirmed all of it. */
async function cleanUp(
  { id, file, recording }: UploadRequest,
  { entryId, md5s, completionError }: UploadResult,
  before: () => Promise<void>,
): Promise<void> {
  const isSafe =
    !completionError && recording !== undefined && (await isStored(entryId, file, md5s).catch(logRejected));
  await before();
  if (isSafe) await recording.deleteCopy().catch(() => {});
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
  request: UploadRequest,
  failFast: () => boolean,
  events: UploadEvents,
  signal: AbortSignal,
  beforeCleanUp: () => Promise<void> = async () => {},
): Promise<{ completionError: unknown; areTagsSaved: boolean }> {
  const { id, recording } = request;
  const draft = createDraftUpload(recording?.draft ?? null, signal);
  const opened: UploadEvents = {
    ...events,
    onOpened(entryId) {
      events.onOpened(entryId);
      draft.start(entryId);
    },
  };
  // First, since what a recording has opened is known then.
  const sent = recording?.waitUntilSent(opened, signal) ?? Promise.resolve({ md5s: [] });
  const result = await uploadFile(id, request, { sent, failFast: failFast() }, opened, signal);
  const [areTagsSaved] = await Promise.all([saveTags(request, result.entryId), draft.finish(result.entryId)]);
  await cleanUp(request, result, beforeCleanUp);
  return { completionError: result.completionError, areTagsSaved };
}
