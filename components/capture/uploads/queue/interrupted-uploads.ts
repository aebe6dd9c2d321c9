import { abortRemoteUploadByClientId } from '@/components/capture/uploads/transfer/open-upload';
import type { AccountData } from '@/components/device/account-store';
import { UPLOAD_PROBLEMS } from '@/components/device/transfer/upload-problem';
import { setDeviceSetting } from '@/components/ui/browser-storage';
import { tryLock, waitForLock } from '@/components/ui/web-locks';
import { fromIso } from '@/lib/journal/entries/shared/calendar';
import { cancelUpload, enqueue, enqueueUploads, processQueue } from './queue';
import {
  findUpload,
  INTERRUPTED_UPLOADS_KEY,
  isActiveUpload,
  setUploads,
  uploadQueueStore,
} from './upload-queue-store';
import { deleteStoredUpload, listAllUploads } from './upload-store';
import { listStoredUploads, lockName } from './video-upload';

/** An account's unfinished uploads, here and on the server. */
export const accountUploads: AccountData = {
  async describe(account) {
    const isUploading = uploadQueueStore.get().some(isActiveUpload);
    if (!isUploading && !(await listAllUploads()).some(({ owner }) => owner === account)) return null;
    return {
      lead: 'An upload isn’t finished, and logging out cancels it. Recordings stay on this device until you log back in.',
      confirm: 'Cancel upload and log out',
      stay: { label: 'Keep uploading', href: '/upload' },
    };
  },
  /** Cancels them. Local copies of recordings stay. */
  async delete(owner) {
    const shown = uploadQueueStore.get().filter(({ phase }) => phase !== 'done');
    await Promise.all(shown.map(({ id }) => cancelUpload(id)));
    for (const { upload } of await listStoredUploads(owner)) {
      await deleteStoredUpload(upload.id);
      await abortRemoteUploadByClientId(upload.id, { name: upload.name, type: '' });
    }
  },
};

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
    const about = { id, owner: upload.owner, title, date: fromIso(upload.date), name, sent, total: size };
    const state = { phase: 'file-needed', secondsLeft: null, problem: null, inBackground: false } as const;
    setUploads([...uploadQueueStore.get(), { ...about, ...state }]);
  }
  await processQueue();
}

/**
 * Resumes an upload with its file. If the file has changed since it was chosen, its upload starts over.
 * @returns false if it's another file
 */
export async function resumeWithFile(id: string, file: File): Promise<boolean> {
  const upload = findUpload(id);
  if (upload?.phase !== 'file-needed' || !upload.date) return false;
  // Disks differ in how they compose letters.
  if (file.name.normalize('NFC') !== upload.name.normalize('NFC')) return false;
  const { owner, title, date, total, sent, problem } = upload;
  if (file.size === total) {
    await enqueue(owner, { id, file, title, date }, sent);
    void processQueue();
    return true;
  }
  if (problem !== UPLOAD_PROBLEMS.fileChanged) return false;
  // The server knows the upload by its size. Wait, since the new one may need the old one's space.
  await cancelUpload(id);
  void enqueueUploads(owner, [{ id: crypto.randomUUID(), file, title, date }]);
  return true;
}
