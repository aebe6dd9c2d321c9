import { sendUpload, type VideoUpload } from '@/components/capture/uploads/queue/send-upload';
import { listStoredUploads, lockName } from '@/components/capture/uploads/queue/stored-uploads';
import { listAllUploads } from '@/components/capture/uploads/queue/upload-store';
import type { Kind } from '@/components/device/eviction-detection';
import { protectSavedEntries } from '@/components/journal/saved-entries/protect-saved-entries';
import { waitForLock } from '@/components/ui/web-locks';
import { setCallingAccount, watchSession } from '@/lib/api/shared/client';
import { decrementCounts } from './decrement-counts';

/**
 * Sends one upload. Doesn't wait for anything: the browser tries again later.
 * @throws whatever keeps it from being sent
 */
async function send(owner: string, video: VideoUpload): Promise<void> {
  const over = new AbortController();
  setCallingAccount(owner);
  const events = {
    onOpened() {},
    onProgress() {},
    onProblem: (problem: { summary: string } | null) => problem && over.abort(new Error(problem.summary)),
  };
  const kinds = video.recording ? (['uploads', 'recordings'] as const) : (['uploads'] as const);
  await sendUpload(
    video,
    () => true,
    events,
    over.signal,
    () => decrementCounts(kinds),
  );
}

/** How long to wait for a page that's sending an upload, in milliseconds. */
const LOCK_TIMEOUT = 60_000;

/**
 * Sends an upload that a page has stored, once no page is sending it. It may be done by then.
 * @throws whatever keeps it from being sent
 */
async function sendStored(id: string): Promise<void> {
  const release = await waitForLock(lockName(id), AbortSignal.timeout(LOCK_TIMEOUT));
  try {
    const stored = (await listStoredUploads()).find(({ upload }) => upload.id === id);
    if (stored?.video) await send(stored.upload.owner, stored.video);
  } finally {
    release();
  }
}

const countDeleted = (count: number) => decrementCounts(Array<Kind>(count).fill('entries'));

/**
 * Sends what pages have stored for uploading, one at a time. If the session is over, protects what's saved on this device.
 * @throws what kept the first failed one from being sent, so that the browser tries again
 */
export async function sendUploads(): Promise<void> {
  const failures: unknown[] = [];
  let isOver = false;
  const stopWatching = watchSession(() => {
    isOver = true;
  });
  for (const { id } of await listAllUploads())
    await sendStored(id).catch((error: unknown) => failures.push(error));
  stopWatching();
  if (isOver) await protectSavedEntries(countDeleted).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
