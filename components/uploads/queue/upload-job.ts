import { toast } from '@/components/ui/toast';
import { createDraftUpload } from '@/components/uploads/transfer/draft-upload';
import type { RecordingHandoff } from '@/components/uploads/transfer/live-upload';
import { PART_BYTES } from '@/components/uploads/transfer/open-upload';
import { createTransferRate } from '@/components/uploads/transfer/transfer-rate';
import {
  isStored,
  type UploadEvents,
  type UploadResult,
  uploadErrorMessage,
  uploadFile,
  uploadProblem,
} from '@/components/uploads/transfer/upload-file';
import { rememberUploadSpeed } from '@/components/uploads/transfer/upload-speed';
import { ApiError, call } from '@/lib/contract/client';
import type { CalendarDate } from '@/lib/entries/calendar';
import type { DraftTranscript } from '@/lib/speech/draft';
import { setEntryTags } from '@/lib/tags/routes';
import { disableLeaveWarning, isQueueVisible, patchUpload, type QueuedUpload } from './upload-queue-store';
import { deleteStoredUpload, saveUploadProgress } from './upload-store';

/** A video to upload. */
export interface UploadRequest {
  /** The client_id. For a recording, the id of its local copy. */
  id: string;
  file: File;
  title: string;
  date: CalendarDate;
  /** The entry's tags. */
  tagIds?: readonly string[];
  /** For a recording, whose local copy stays until the server confirms the upload. */
  recording?: Pick<RecordingHandoff, 'waitUntilSent'> & {
    deleteCopy(): Promise<void>;
    /** What was heard in it, once that's complete; null if there's nothing. */
    draft: Promise<DraftTranscript | null> | null;
  };
}

/** An upload that this page runs. */
export interface UploadJob {
  request: UploadRequest;
  owner: string;
  controller: AbortController;
  /** Dispatches `retry` to end the wait before a retry. */
  wakeUps: EventTarget;
  entryId: string | null;
  /** Whether it fails at once if the server can't open it, since the person has just started it. */
  stopsUnopened: boolean;
  /** Lets other pages run it. */
  release(): void;
}

/** Sends a person whose session ended to the login page; stored uploads resume after it. */
function goToLogin(): void {
  disableLeaveWarning();
  window.location.assign(`/login?next=${encodeURIComponent('/upload')}`);
}

/** Tags the entry of a finished upload. If that fails, its person can do it there. */
async function saveTags({ title, tagIds = [] }: UploadRequest, entryId: string): Promise<void> {
  if (tagIds.length === 0) return;
  const body = { categories: [...tagIds] };
  await call(setEntryTags, { params: { id: entryId }, body, onExpired: 'throw' }).catch(() =>
    toast.error(`“${title}” was uploaded, but we couldn’t save its tags. Add them to the entry.`),
  );
}

async function cleanUpAfterUpload(
  { request }: UploadJob,
  { entryId, completionError }: UploadResult,
  md5s: readonly string[],
): Promise<void> {
  if (completionError) toast.error(uploadErrorMessage(completionError));
  await deleteStoredUpload(request.id);
  if (completionError || !request.recording) return;
  const stored = await isStored(entryId, request.file, md5s).catch(() => false);
  if (stored) await request.recording.deleteCopy().catch(() => {});
}

/** Returns the events that show an upload in the queue. */
function showIn({ request, wakeUps }: UploadJob): Omit<UploadEvents, 'onOpened'> {
  const { id, file } = request;
  const rate = createTransferRate();
  let savedBytes = 0;
  return {
    wakeUps,
    onProgress(sent) {
      rate.record(sent, performance.now());
      patchUpload(id, { sent, secondsLeft: rate.secondsLeft(file.size) });
      if (sent - savedBytes < PART_BYTES) return;
      savedBytes = sent;
      rememberUploadSpeed(rate.bytesPerSecond());
      void saveUploadProgress(id, sent);
    },
    onProblem: (problem) => patchUpload(id, problem ? { problem, secondsLeft: null } : { problem }),
  };
}

/**
 * Runs an upload to its end and shows how it goes.
 * @returns the phase it ended in; null if it was canceled or the session ended
 */
export async function runJob(job: UploadJob): Promise<QueuedUpload['phase'] | null> {
  const { request, controller } = job;
  const { id, file } = request;
  const end = (phase: QueuedUpload['phase'], values: Partial<QueuedUpload>) => {
    patchUpload(id, { phase, secondsLeft: null, ...values });
    return phase;
  };
  const draft = createDraftUpload(request.recording?.draft ?? null, controller.signal);
  const events: UploadEvents = {
    ...showIn(job),
    onOpened(entryId) {
      job.entryId = entryId;
      draft.start(entryId);
    },
  };
  patchUpload(id, { phase: 'sending', problem: null });
  try {
    const begun = await request.recording?.waitUntilSent(events, controller.signal);
    const md5s = begun?.md5s ?? [];
    const stopsUnopened = job.stopsUnopened && !job.entryId;
    const result = await uploadFile(id, request, { md5s, stopsUnopened }, events, controller.signal);
    await Promise.all([draft.finish(result.entryId), saveTags(request, result.entryId)]);
    await cleanUpAfterUpload(job, result, md5s);
    if (!isQueueVisible()) toast.success(`“${request.title}” finished uploading.`);
    return end('done', { sent: file.size, problem: null });
  } catch (error) {
    if (controller.signal.aborted) return null;
    if (error instanceof ApiError && error.status === 401) {
      goToLogin();
      return null;
    }
    toast.error(uploadErrorMessage(error));
    // After a reload, the server's answer would be the same, if it gave one.
    if (error instanceof ApiError && error.status > 0) await deleteStoredUpload(id);
    const isUnreadable = error instanceof DOMException && !request.recording;
    return end(isUnreadable ? 'lost' : 'failed', { problem: uploadProblem(error) });
  }
}
