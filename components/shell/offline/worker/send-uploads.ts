import { listAllUploads } from '@/components/capture/uploads/queue/upload-store';
import { listStoredUploads, lockName, sendUpload } from '@/components/capture/uploads/queue/video-upload';
import {
  COUNTS_COOKIE,
  COUNTS_MAX_AGE,
  formatCounts,
  type Kind,
  readCounts,
} from '@/components/device/eviction-detection';
import { protectSavedEntries } from '@/components/journal/saved-entries/protect-saved-entries';
import { waitForLock } from '@/components/ui/web-locks';
import { setCallingAccount, watchSession } from '@/lib/api/shared/client';

/** The Cookie Store API (WHATWG), which every browser with Background Synchronization has. */
const jar: CookieStore | undefined = globalThis.cookieStore;

/** Counts one less of some kinds in the cookie that detects eviction, before they're deleted. */
async function decrementCounts(kinds: readonly Kind[]): Promise<void> {
  const cookie = await jar?.get(COUNTS_COOKIE);
  if (!jar || !cookie) return;
  const { stored, evicted } = readCounts(`${COUNTS_COOKIE}=${cookie.value}`);
  const left = { ...stored };
  for (const kind of kinds) left[kind] = Math.max(0, left[kind] - 1);
  const expires = Date.now() + COUNTS_MAX_AGE * 1000;
  const value = formatCounts({ stored: left, evicted });
  await jar.set({ name: COUNTS_COOKIE, value, expires, sameSite: 'lax' });
}

/** How long to wait for a page that's sending an upload, in milliseconds. */
const LOCK_TIMEOUT = 60_000;

/**
 * Sends an upload that a page has stored, once no page is sending it. It may be done by then. Doesn't wait for anything
 * else: the browser tries again later.
 * @throws whatever keeps it from being sent
 */
async function sendStored(id: string): Promise<void> {
  const release = await waitForLock(lockName(id), AbortSignal.timeout(LOCK_TIMEOUT));
  try {
    const { upload, video } = (await listStoredUploads()).find((stored) => stored.upload.id === id) ?? {};
    if (!upload || !video) return;
    setCallingAccount(upload.owner);
    const over = new AbortController();
    const events = {
      onOpened() {},
      onProgress() {},
      onProblem: (problem: { summary: string } | null) => problem && over.abort(new Error(problem.summary)),
    };
    const kinds = video.recording ? (['uploads', 'recordings'] as const) : (['uploads'] as const);
    const countDown = () => decrementCounts(kinds);
    await sendUpload(video, () => true, events, over.signal, countDown);
  } finally {
    release();
  }
}

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
  const countDeleted = (count: number) => decrementCounts(Array<Kind>(count).fill('entries'));
  if (isOver) await protectSavedEntries(countDeleted).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
