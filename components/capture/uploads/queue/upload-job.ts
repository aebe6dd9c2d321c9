import { discardShared } from '@/components/capture/uploads/shared/shared-videos';
import { PART_BYTES } from '@/components/capture/uploads/transfer/open-upload';
import { createTransferRate } from '@/components/capture/uploads/transfer/transfer-rate';
import {
  type UploadEvents,
  uploadErrorMessage,
  uploadProblem,
} from '@/components/capture/uploads/transfer/upload-file';
import { rememberUploadSpeed } from '@/components/capture/uploads/transfer/upload-speed';
import { toast } from '@/components/ui/toast';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import { sendUpload, type VideoUpload } from './send-upload';
import { disableLeaveWarning, isQueueVisible, patchUpload, type QueuedUpload } from './upload-queue-store';
import { deleteStoredUpload, saveUploadProgress } from './upload-store';

/** A video that this page uploads, and how far that is. */
export interface UploadJob {
  video: VideoUpload;
  owner: string;
  controller: AbortController;
  /** Dispatches `retry` to end the wait before a retry. */
  wakeUps: EventTarget;
  entryId: string | null;
  /** Whether it fails at once if the server can't open it, since the user has just started it. */
  failFast: boolean;
  /** Lets other pages run it. */
  release(): void;
}

/** Sends a user whose session ended to the login page; stored uploads resume after it. */
function goToLogin(): void {
  disableLeaveWarning();
  window.location.assign(`/login?next=${encodeURIComponent('/upload')}`);
}

/** Returns the events that show an upload in the queue. */
function showIn({ video, wakeUps }: UploadJob): Omit<UploadEvents, 'onOpened'> {
  const { id, file } = video;
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
  const { video, controller } = job;
  const { id, file } = video;
  const end = (phase: QueuedUpload['phase'], values: Partial<QueuedUpload>) => {
    patchUpload(id, { phase, secondsLeft: null, ...values });
    return phase;
  };
  const events: UploadEvents = {
    ...showIn(job),
    onOpened(entryId) {
      job.entryId = entryId;
    },
  };
  patchUpload(id, { phase: 'sending', problem: null });
  try {
    const failFast = () => job.failFast && !job.entryId;
    const { completionError, areTagsSaved } = await sendUpload(video, failFast, events, controller.signal);
    await discardShared(file);
    if (completionError) toast.error(uploadErrorMessage(completionError));
    if (!areTagsSaved)
      toast.error(`“${video.title}” was uploaded, but we couldn’t save its tags. Add them to the entry.`);
    if (!isQueueVisible()) toast.success(`“${video.title}” finished uploading.`);
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
    const isUnreadable = error instanceof DOMException && !video.recording;
    return end(isUnreadable ? 'file-needed' : 'failed', { problem: uploadProblem(error) });
  }
}
