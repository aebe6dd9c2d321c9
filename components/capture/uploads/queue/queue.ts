import { discardShared } from '@/components/capture/uploads/shared/shared-videos';
import {
  abortRemoteUpload,
  abortRemoteUploadByClientId,
} from '@/components/capture/uploads/transfer/open-upload';
import { UPLOAD_PROBLEMS } from '@/components/device/transfer/upload-problem';
import { setDeviceSetting } from '@/components/ui/browser-storage';
import { toast } from '@/components/ui/toast';
import { tryLock, waitForLock } from '@/components/ui/web-locks';
import { fromIso, toIso } from '@/lib/journal/entries/shared/calendar';
import { requestBackgroundSync } from './background-sync';
import type { VideoUpload } from './send-upload';
import { listStoredUploads, lockName } from './stored-uploads';
import { runJob, type UploadJob } from './upload-job';
import {
  INTERRUPTED_UPLOADS_KEY,
  isActiveUpload,
  patchUpload,
  setUploads,
  uploadQueueStore,
} from './upload-queue-store';
import { deleteStoredUpload, type StoredUpload, storeUpload } from './upload-store';

const jobs = new Map<string, UploadJob>();
let running = false;

/** Interrupted uploads whose files must be chosen again. */
const interruptedUploads = new Map<string, StoredUpload>();

function releaseJob(job: UploadJob): void {
  job.release();
  jobs.delete(job.video.id);
}

/** Returns what to store of an upload. */
function toStored({ owner, video }: UploadJob, sent: number): StoredUpload {
  const { id, file, title, date, tagIds } = video;
  const { name, size, lastModified } = file;
  const isRecording = video.recording?.hasCopy ?? false;
  return {
    id,
    owner,
    title,
    date: toIso(date),
    name,
    size,
    lastModified,
    sent,
    isRecording,
    ...(tagIds && { tagIds }),
  };
}

const findUpload = (id: string) => uploadQueueStore.get().find((upload) => upload.id === id);

/** Runs the queued uploads one at a time. */
async function processQueue(): Promise<void> {
  if (running) return;
  running = true;
  for (;;) {
    const next = uploadQueueStore.get().find(({ phase }) => phase === 'waiting');
    const job = next && jobs.get(next.id);
    if (!job) break;
    const phase = await runJob(job);
    job.failFast = false;
    if (phase === 'file-needed')
      interruptedUploads.set(next.id, toStored(job, findUpload(next.id)?.sent ?? 0));
    if (phase === 'done' || phase === 'file-needed') releaseJob(job);
  }
  running = false;
}

const WAITING = { phase: 'waiting', secondsLeft: null, problem: null } as const;

/**
 * Adds an upload to the queue, or starts a failed one over with what the user has changed since.
 * @returns its job; null if another tab is already uploading it
 */
async function enqueue(owner: string, video: VideoUpload, sent: number): Promise<UploadJob | null> {
  const { id, title, file } = video;
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
  interruptedUploads.delete(id);
  const others = uploadQueueStore.get().filter((upload) => upload.id !== id && upload.phase !== 'done');
  const state = { ...WAITING, inBackground: video.inBackground ?? false };
  setUploads([...others, { ...state, id, title, name: file.name, sent, total: file.size }]);
  return job;
}

/**
 * Stores an upload and its file. From then on, the copy of a video that another app shared isn't needed.
 * @returns whether it survives a reload
 */
async function storeCopy(job: UploadJob): Promise<boolean> {
  const { file } = job.video;
  const isStored = await storeUpload(toStored(job, 0), file);
  if (isStored) await discardShared(file);
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

/** Removes an upload from this page and this device. */
function forgetUpload(id: string): void {
  const job = jobs.get(id);
  if (job) releaseJob(job);
  interruptedUploads.delete(id);
  setUploads(uploadQueueStore.get().filter((upload) => upload.id !== id));
  void deleteStoredUpload(id);
}

/** Cancels an upload, here and on the server. */
export async function cancelUpload(id: string): Promise<void> {
  const job = jobs.get(id);
  const upload = findUpload(id);
  job?.controller.abort(new DOMException('', 'AbortError'));
  forgetUpload(id);
  if (job?.entryId) return abortRemoteUpload(job.entryId);
  // The call that opens it may have arrived, even if its answer didn't.
  if (upload && (upload.sent > 0 || upload.phase === 'sending' || upload.phase === 'file-needed'))
    await abortRemoteUploadByClientId(id, job?.video.file ?? { name: upload.name, type: '' });
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

/** Uploads that this page takes over if whoever runs them ends. */
const awaitedIds = new Set<string>();

/** Waits for another tab, or the service worker, to finish an upload or to end without having finished it. */
async function resumeLater(owner: string, id: string): Promise<void> {
  if (awaitedIds.has(id)) return;
  awaitedIds.add(id);
  const free = await waitForLock(lockName(id));
  awaitedIds.delete(id);
  free();
  await resumeUploads(owner);
}

/** Resumes the uploads that a reload or a login interrupted. */
export async function resumeUploads(owner: string): Promise<void> {
  const kept = await listStoredUploads(owner);
  if (kept.length === 0) setDeviceSetting(INTERRUPTED_UPLOADS_KEY, null);
  for (const { upload, video } of kept) {
    const { id, title, name, sent, size } = upload;
    if (findUpload(id)) continue;
    if (video) {
      if (!(await enqueue(owner, video, sent))) void resumeLater(owner, id);
      continue;
    }
    const free = await tryLock(lockName(id));
    // Another tab is uploading it.
    if (!free) continue;
    free();
    if (findUpload(id)) continue;
    interruptedUploads.set(id, upload);
    const state = { ...WAITING, phase: 'file-needed', inBackground: false } as const;
    setUploads([...uploadQueueStore.get(), { ...state, id, title, name, sent, total: size }]);
  }
  await processQueue();
}

/**
 * Resumes an upload with its file. If the file has changed since it was chosen, its upload starts over.
 * @returns false if it's another file
 */
export async function resumeWithFile(id: string, file: File): Promise<boolean> {
  const upload = interruptedUploads.get(id);
  const day = upload && fromIso(upload.date);
  if (!upload || !day || file.name !== upload.name) return false;
  const { owner, title, size, sent } = upload;
  if (file.size === size) {
    await enqueue(owner, { id, file, title, date: day }, sent);
    void processQueue();
    return true;
  }
  if (findUpload(id)?.problem !== UPLOAD_PROBLEMS.fileChanged) return false;
  // The server knows the upload by its size. Wait, since the new one may need the old one's space.
  await cancelUpload(id);
  void enqueueUploads(owner, [{ id: crypto.randomUUID(), file, title, date: day }]);
  return true;
}
