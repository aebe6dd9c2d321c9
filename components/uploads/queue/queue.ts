import { setDeviceSetting } from '@/components/ui/browser-storage';
import { toast } from '@/components/ui/toast';
import type { RecordingHandoff } from '@/components/uploads/transfer/live-upload';
import { createTransferRate } from '@/components/uploads/transfer/send-parts';
import {
  abortRemoteUpload,
  abortRemoteUploadByClientId,
  forgetReservation,
  isStored,
  PART_BYTES,
  type UploadResult,
  uploadErrorMessage,
  uploadFile,
} from '@/components/uploads/transfer/upload-file';
import { ApiError } from '@/lib/contract/client';
import { type CalendarDate, fromIso, toIso } from '@/lib/entries/calendar';
import {
  disableLeaveWarning,
  INTERRUPTED_UPLOADS_KEY,
  isQueueVisible,
  patchUpload,
  type QueuedUpload,
  setUploads,
  uploadQueueStore,
} from './upload-queue-store';
import {
  deleteStoredUpload,
  listStoredUploads,
  type StoredUpload,
  saveUploadProgress,
  storeUpload,
  tryLock,
  waitForLock,
} from './upload-store';

/** A video to upload. */
export interface UploadRequest {
  /** The client_id. For a recording, the id of its local copy. */
  id: string;
  file: File;
  title: string;
  date: CalendarDate;
  /** For a recording, whose local copy stays until the server confirms the upload. */
  recording?: Pick<RecordingHandoff, 'waitUntilSent'> & { deleteCopy(): Promise<void> };
}

interface UploadJob {
  request: UploadRequest;
  owner: string;
  controller: AbortController;
  entryId: string | null;
  release(): void;
}

const jobs = new Map<string, UploadJob>();
let running = false;

/** Sends a person whose session ended to the login page; stored uploads resume after it. */
function goToLogin(): void {
  disableLeaveWarning();
  window.location.assign(`/login?next=${encodeURIComponent('/upload')}`);
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

async function runJob(job: UploadJob): Promise<void> {
  const { request, controller } = job;
  const { id, file } = request;
  const rate = createTransferRate();
  let savedBytes = 0;
  const onProgress = (sent: number) => {
    rate.record(sent, performance.now());
    patchUpload(id, { sent, secondsLeft: rate.secondsLeft(file.size) });
    if (sent - savedBytes < PART_BYTES) return;
    savedBytes = sent;
    void saveUploadProgress(id, sent);
  };
  const sending = {
    onProgress,
    onWaiting: (offline: boolean) => patchUpload(id, offline ? { offline, secondsLeft: null } : { offline }),
    onOpened(entryId: string) {
      job.entryId = entryId;
    },
  };
  patchUpload(id, { phase: 'sending', problem: null });
  try {
    const begun = await request.recording?.waitUntilSent(onProgress, controller.signal);
    const md5s = begun?.md5s ?? [];
    job.entryId = begun?.entryId ?? job.entryId;
    const sent = await uploadFile(id, request, md5s, sending, controller.signal);
    await cleanUpAfterUpload(job, sent, md5s);
    releaseJob(job);
    patchUpload(id, { phase: 'done', offline: false, sent: file.size, secondsLeft: null });
    if (!isQueueVisible()) toast.success(`“${request.title}” finished uploading.`);
  } catch (error) {
    if (controller.signal.aborted) return;
    if (error instanceof ApiError && error.status === 401) return goToLogin();
    const problem = uploadErrorMessage(error);
    patchUpload(id, { phase: 'failed', offline: false, secondsLeft: null, problem });
    toast.error(problem);
  }
}

function releaseJob(job: UploadJob): void {
  job.release();
  jobs.delete(job.request.id);
}

/** Runs the queued uploads one at a time. */
async function processQueue(): Promise<void> {
  if (running) return;
  running = true;
  for (;;) {
    const next = uploadQueueStore.get().find(({ phase }) => phase === 'waiting');
    const job = next && jobs.get(next.id);
    if (!job) break;
    await runJob(job);
  }
  running = false;
}

const IDLE = { offline: false, secondsLeft: null, problem: null } satisfies Partial<QueuedUpload>;

/** Adds an upload to the queue. @returns false if another tab is already uploading it */
async function enqueue(owner: string, request: UploadRequest, sent: number): Promise<boolean> {
  const releaseUpload = await tryLock(`daylight-upload-${request.id}`);
  if (!releaseUpload) return false;
  // The recorder releases its copy when its page closes; from then on, it's locked here.
  const copy = request.recording ? waitForLock(`daylight-recording-${request.id}`) : null;
  const release = () => {
    releaseUpload();
    void copy?.then((releaseCopy) => releaseCopy());
  };
  jobs.set(request.id, { request, owner, controller: new AbortController(), entryId: null, release });
  const { id, title, file } = request;
  const others = uploadQueueStore.get().filter((upload) => upload.id !== id && upload.phase !== 'done');
  setUploads([...others, { ...IDLE, id, title, name: file.name, phase: 'waiting', sent, total: file.size }]);
  return true;
}

/** Uploads that are being added. */
const enqueuingIds = new Set<string>();

/** Uploads videos one at a time. Navigation within the app doesn't interrupt them. */
export async function enqueueUploads(owner: string, requests: readonly UploadRequest[]): Promise<void> {
  for (const request of requests) {
    const { id, title, file } = request;
    // A double click.
    if (enqueuingIds.has(id)) continue;
    enqueuingIds.add(id);
    const added = await enqueue(owner, request, 0).finally(() => enqueuingIds.delete(id));
    if (!added) {
      toast.error(`“${title}” is already uploading in another tab.`);
      continue;
    }
    if (request.recording || file.size <= PART_BYTES) continue;
    const facts = { name: file.name, size: file.size, lastModified: file.lastModified, sent: 0 };
    void storeUpload({ id, owner, title, date: toIso(request.date), ...facts }, file);
  }
  await processQueue();
}

/** Retries a failed upload. */
export function retryUpload(id: string): void {
  patchUpload(id, { phase: 'waiting', problem: null });
  void processQueue();
}

/** Removes an upload from the list without canceling it, since it can be retried from the form. */
export function removeFromQueue(id: string): void {
  const job = jobs.get(id);
  if (job) releaseJob(job);
  setUploads(uploadQueueStore.get().filter((upload) => upload.id !== id));
  void deleteStoredUpload(id);
}

/** Cancels an upload, here and on the server. */
export async function cancelUpload(id: string): Promise<void> {
  const job = jobs.get(id);
  const upload = uploadQueueStore.get().find((one) => one.id === id);
  job?.controller.abort(new DOMException('', 'AbortError'));
  removeFromQueue(id);
  forgetReservation();
  if (job?.entryId) await abortRemoteUpload(job.entryId);
  else if (upload && upload.sent > 0)
    await abortRemoteUploadByClientId(id, job?.request.file ?? { name: upload.name, type: '' });
}

/** Cancels an account's uploads when it logs out. Local copies of recordings stay. */
export async function discardUploads(owner: string): Promise<void> {
  const shown = uploadQueueStore.get().filter(({ phase }) => phase !== 'done');
  await Promise.all(shown.map(({ id }) => cancelUpload(id)));
  for (const { upload } of await listStoredUploads(owner)) {
    await deleteStoredUpload(upload.id);
    await abortRemoteUploadByClientId(upload.id, { name: upload.name, type: '' });
  }
}

/** Removes finished uploads from the list. */
export function clearFinishedUploads(): void {
  setUploads(uploadQueueStore.get().filter(({ phase }) => phase !== 'done'));
}

/** Interrupted uploads whose files must be chosen again. */
const interruptedUploads = new Map<string, StoredUpload>();

/** Resumes the uploads that a reload or a login interrupted. */
export async function resumeUploads(owner: string): Promise<void> {
  const kept = await listStoredUploads(owner);
  if (kept.length === 0) setDeviceSetting(INTERRUPTED_UPLOADS_KEY, null);
  for (const { upload, file } of kept) {
    const { id, title, date, name, sent, size } = upload;
    const isShown = () => uploadQueueStore.get().some((one) => one.id === id);
    if (isShown()) continue;
    const day = fromIso(date);
    if (file && day) {
      await enqueue(owner, { id, file, title, date: day }, sent);
    } else {
      const free = await tryLock(`daylight-upload-${id}`);
      // Another tab is uploading it.
      if (!free) continue;
      free();
      if (isShown()) continue;
      interruptedUploads.set(id, upload);
      setUploads([...uploadQueueStore.get(), { ...IDLE, id, title, name, phase: 'lost', sent, total: size }]);
    }
  }
  await processQueue();
}

/** Resumes an upload with its file. @returns false if its name or size differ */
export async function resumeWithFile(id: string, file: File): Promise<boolean> {
  const upload = interruptedUploads.get(id);
  const day = upload && fromIso(upload.date);
  if (!upload || !day || file.name !== upload.name || file.size !== upload.size) return false;
  interruptedUploads.delete(id);
  await enqueue(upload.owner, { id, file, title: upload.title, date: day }, upload.sent);
  void processQueue();
  return true;
}
