import { discardShared } from '@/components/capture/uploads/shared/shared-videos';
import {
  abortRemoteUpload,
  abortRemoteUploadByClientId,
  PART_BYTES,
} from '@/components/capture/uploads/transfer/open-upload';
import { createTransferRate, rememberUploadSpeed } from '@/components/capture/uploads/transfer/transfer-rate';
import type { UploadEvents } from '@/components/capture/uploads/transfer/upload-file';
import { noticeOf, problemOf } from '@/components/device/transfer/upload-problem';
import { toast } from '@/components/ui/toast';
import { tryLock, waitForLock } from '@/components/ui/web-locks';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import {
  disableLeaveWarning,
  findUpload,
  isActiveUpload,
  patchUpload,
  type QueuedUpload,
  queueVisibleStore,
  setUploads,
  uploadQueueStore,
} from './upload-queue-store';
import { deleteStoredUpload, requestBackgroundSync, saveUploadProgress, storeUpload } from './upload-store';
import { lockName, sendUpload, toStored, type VideoUpload } from './video-upload';

/** A video that this page uploads, and how far that is. */
interface UploadJob {
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

const jobs = new Map<string, UploadJob>();
let running = false;

function releaseJob(job: UploadJob): void {
  job.release();
  jobs.delete(job.video.id);
}

/**
 * Runs an upload to its end and shows how it goes.
 * @returns the phase it ended in; null if it was canceled or the session ended
 */
async function runJob(job: UploadJob): Promise<QueuedUpload['phase'] | null> {
  const { video, controller } = job;
  const { id, file } = video;
  const end = (phase: QueuedUpload['phase'], values: Partial<QueuedUpload>) => {
    patchUpload(id, { phase, secondsLeft: null, ...values });
    return phase;
  };
  const rate = createTransferRate();
  let savedBytes = 0;
  const events: UploadEvents = {
    wakeUps: job.wakeUps,
    onOpened(entryId) {
      job.entryId = entryId;
    },
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
  patchUpload(id, { phase: 'sending', problem: null });
  try {
    const failFast = () => job.failFast && !job.entryId;
    const sent = await sendUpload(video, failFast, events, controller.signal);
    const { completionError, areTagsSaved, areNotesSaved } = sent;
    await discardShared(file);
    if (completionError) toast.error(noticeOf(completionError));
    if (!areTagsSaved)
      toast.error(`“${video.title}” was uploaded, but we couldn’t save its tags. Add them to the entry.`);
    if (!areNotesSaved)
      toast.error(`“${video.title}” was uploaded, but we couldn’t save its marks. Add them to the entry.`);
    if (!queueVisibleStore.get()) toast.success(`“${video.title}” finished uploading.`);
    return end('done', { sent: file.size, problem: null });
  } catch (error) {
    if (controller.signal.aborted) return null;
    if (error instanceof ApiError && error.status === 401) {
      // Stored uploads resume after the login.
      disableLeaveWarning();
      window.location.assign(`/login?next=${encodeURIComponent('/upload')}`);
      return null;
    }
    toast.error(noticeOf(error));
    // After a reload, the server's answer would be the same, if it gave one.
    if (error instanceof ApiError && error.status > 0) await deleteStoredUpload(id);
    const isUnreadable = error instanceof DOMException && !video.recording;
    return end(isUnreadable ? 'file-needed' : 'failed', { problem: problemOf(error) });
  }
}

/** Runs the queued uploads one at a time. */
export async function processQueue(): Promise<void> {
  if (running) return;
  running = true;
  for (;;) {
    const next = uploadQueueStore.get().find(({ phase }) => phase === 'waiting');
    const job = next && jobs.get(next.id);
    if (!job) break;
    const phase = await runJob(job);
    job.failFast = false;
    if (phase === 'done' || phase === 'file-needed') releaseJob(job);
  }
  running = false;
}

/**
 * Adds an upload to the queue, or starts a failed one over with what the user has changed since.
 * @param sent the bytes uploaded by an earlier page
 * @returns its job; null if another tab is already uploading it
 */
export async function enqueue(owner: string, video: VideoUpload, sent: number): Promise<UploadJob | null> {
  const { id, title, date, file, inBackground = false } = video;
  let job = jobs.get(id);
  if (job) {
    job.video = video;
  } else {
    const releaseUpload = await tryLock(lockName(id));
    if (!releaseUpload) return null;
    // The recorder releases its copy when its page closes; from then on, it's locked here.
    const copy = video.recording ? waitForLock(`daylight-recording-${id}`) : null;
    const release = () => {
      releaseUpload();
      void copy?.then((releaseCopy) => releaseCopy());
    };
    const [controller, wakeUps] = [new AbortController(), new EventTarget()];
    job = { video, owner, controller, wakeUps, entryId: null, failFast: false, release };
    jobs.set(id, job);
  }
  const others = uploadQueueStore.get().filter((upload) => upload.id !== id && upload.phase !== 'done');
  const about = { id, owner, title, date, name: file.name, sent, total: file.size, inBackground };
  setUploads([...others, { ...about, phase: 'waiting', secondsLeft: null, problem: null }]);
  return job;
}

/**
 * Stores an upload and its file. From then on, the copy of a video that another app shared isn't needed.
 * @returns whether it survives a reload
 */
async function storeCopy({ owner, video }: UploadJob): Promise<boolean> {
  const isStored = await storeUpload(toStored(owner, video, 0), video.file);
  if (isStored) await discardShared(video.file);
  return isStored;
}

/** Uploads that are being added. */
const enqueuingIds = new Set<string>();

/** Uploads videos one at a time. Navigation within the app doesn't interrupt them. */
export async function enqueueUploads(owner: string, videos: readonly VideoUpload[]): Promise<void> {
  for (const [index, video] of videos.entries()) {
    const { id, title } = video;
    const known = findUpload(id);
    // A double click.
    if (enqueuingIds.has(id) || (known && isActiveUpload(known))) continue;
    enqueuingIds.add(id);
    const job = await enqueue(owner, video, 0).finally(() => enqueuingIds.delete(id));
    if (!job) {
      toast.error(`“${title}” is already uploading in another tab.`);
      continue;
    }
    job.failFast = index === 0 && !video.inBackground;
    const storing = storeCopy(job);
    if (!video.inBackground) continue;
    if (await storing)
      toast.success(`“${title}” is saved on this device. It uploads as soon as there’s a connection.`);
    // Only this page has it.
    else patchUpload(id, { inBackground: false });
  }
  void requestBackgroundSync();
  await processQueue();
}

/** Retries a failed upload, or one that waits to be retried. */
export function retryUpload(id: string): void {
  const job = jobs.get(id);
  if (!job) return;
  if (findUpload(id)?.phase === 'failed') {
    job.failFast = true;
    patchUpload(id, { phase: 'waiting', problem: null });
    void processQueue();
  } else {
    job.wakeUps.dispatchEvent(new Event('retry'));
  }
}

/** Cancels an upload, here and on the server, and removes it from this page and this device. */
export async function cancelUpload(id: string): Promise<void> {
  const job = jobs.get(id);
  const upload = findUpload(id);
  job?.controller.abort(new DOMException('', 'AbortError'));
  if (job) releaseJob(job);
  setUploads(uploadQueueStore.get().filter((other) => other.id !== id));
  void deleteStoredUpload(id);
  if (job?.entryId) return abortRemoteUpload(job.entryId);
  // The call that opens it may have arrived, even if its answer didn't.
  if (upload && (upload.sent > 0 || upload.phase === 'sending' || upload.phase === 'file-needed'))
    await abortRemoteUploadByClientId(id, job?.video.file ?? { name: upload.name, type: '' });
}
