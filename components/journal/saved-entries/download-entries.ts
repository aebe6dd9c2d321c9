import { freeBytes, isDeviceFull } from '@/components/device/free-space';
import { retry } from '@/components/device/transfer/retry';
import {
  StorageError,
  UPLOAD_PROBLEMS,
  type UploadProblem,
} from '@/components/device/transfer/upload-problem';
import { isCurrentAccount } from '@/components/ui/browser-storage';
import { errorMessage } from '@/components/ui/error-message';
import { waitForLock } from '@/components/ui/web-locks';
import { call } from '@/lib/api/shared/client';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import { fetchPiece } from './fetch-piece';
import { refreshSavedEntries, updateSavedEntry } from './refresh-saved-entries';
import { watchSavedEntries } from './saved-entries-owner';
import {
  addSavedEntry,
  countPieces,
  deleteEntriesOfOthers,
  deletePieces,
  deleteSavedEntries,
  listSavedEntries,
  patchSavedEntry,
  putPiece,
  readSavedEntry,
  type SavedEntry,
} from './saved-entry-store';

const NO_SPACE =
  'There isn’t enough space on this device. Free up some space or remove other entries, then try again.';

/** What keeps an upload waiting or failing, in words for a download. */
const SENTENCES = new Map<UploadProblem, string>([
  [UPLOAD_PROBLEMS.offline, 'No connection. The download continues when you’re back online.'],
  [
    UPLOAD_PROBLEMS.storageRefusesSite,
    'Storage doesn’t let this site download videos. Ask the site’s administrator to check storage’s CORS settings.',
  ],
  [
    UPLOAD_PROBLEMS.storageRefused,
    'Storage refused this video. Ask the site’s administrator to check its storage settings, then try again.',
  ],
]);

/** Returns a sentence about what a download waits for. */
const describeProblem = (problem: UploadProblem): string => SENTENCES.get(problem) ?? problem.sentence;

/** Returns a sentence about an error that ended a download. */
function describeFailure(error: unknown): string {
  if (isDeviceFull(error)) return NO_SPACE;
  return error instanceof StorageError ? describeProblem(error.problem) : errorMessage(error);
}

/** Held by the tab that downloads. */
const LOCK = 'daylight-keep';

const wakeUps = new EventTarget();
let queue: Promise<void> = Promise.resolve();

/** Downloads the pieces of a video that aren't here yet. Returns early if the entry is removed meanwhile. */
async function downloadPieces(saved: SavedEntry, progressed: () => void, signal: AbortSignal): Promise<void> {
  const { owner, id, entry } = saved;
  let etag = saved.etag;
  let index = await countPieces(id);
  for (let left = !saved.complete; left; ) {
    const piece = await fetchPiece(entry.videoUrl, index, signal);
    if (!isCurrentAccount(owner)) return;
    if (index > 0 && piece.etag !== etag) {
      // The video was processed again.
      await patchSavedEntry(owner, id, {}, true);
      index = 0;
      continue;
    }
    const stored = await putPiece(owner, id, index, piece);
    etag = piece.etag;
    index += 1;
    left = stored !== undefined && !stored.complete;
    progressed();
  }
}

/** Downloads one entry, however long that takes. @throws if a retry can't help */
async function download(owner: string, id: string): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  const stopWatching = watchSavedEntries(
    () =>
      void readSavedEntry(owner, id).then(
        (saved) => saved ?? controller.abort(new DOMException('', 'AbortError')),
      ),
  );
  let shown: string | null = null;
  const show = (problem: string | null) => {
    if (problem === shown) return;
    shown = problem;
    void patchSavedEntry(owner, id, { problem });
  };
  try {
    await patchSavedEntry(owner, id, { problem: null });
    await retry(
      async (progressed) => {
        const fresh = await call('GET /entry/:id', { params: { id }, signal, onExpired: 'throw' });
        const saved = await updateSavedEntry(owner, fresh, signal);
        if (saved) await downloadPieces(saved, progressed, signal);
      },
      { onProblem: (problem) => show(problem && describeProblem(problem)), wakeUps },
      signal,
    );
  } finally {
    stopWatching();
  }
}

/** Ends a download that failed. What's here of it stays for the next try, unless the device is full. */
async function recordFailure(owner: string, id: string, error: unknown): Promise<void> {
  if (error instanceof ApiError && error.status === 404) return deleteSavedEntries(owner, [id]);
  // On its own, so that there's space for the rest.
  if (isDeviceFull(error)) await deletePieces(id);
  await patchSavedEntry(owner, id, { problem: describeFailure(error) }, isDeviceFull(error));
}

/** Downloads what an account has saved and isn't here yet, one entry at a time. */
async function downloadAll(owner: string): Promise<void> {
  const release = await waitForLock(LOCK);
  try {
    const failed = new Set<string>();
    while (isCurrentAccount(owner)) {
      const next = (await listSavedEntries(owner)).find(({ id, complete }) => !complete && !failed.has(id));
      if (!next) break;
      try {
        await download(owner, next.id);
      } catch (error) {
        failed.add(next.id);
        if (await readSavedEntry(owner, next.id)) await recordFailure(owner, next.id, error);
      }
    }
  } finally {
    release();
  }
}

/** Downloads what an account has saved and isn't here yet, in this tab or in the one that's at it already. Never rejects. */
export function downloadSavedEntries(owner: string): Promise<void> {
  wakeUps.dispatchEvent(new Event('retry'));
  queue = queue
    .then(() => downloadAll(owner))
    .catch(() => {
      // This browser stores nothing any more.
    });
  return queue;
}

/**
 * Deletes what other accounts left on this device. Then brings what this one saved up to date, and continues its downloads.
 * @throws DOMException if this browser stores nothing
 */
export async function resumeSavedEntries(owner: string): Promise<void> {
  await deleteEntriesOfOthers(owner);
  await refreshSavedEntries(owner, false).catch(() => {});
  await downloadSavedEntries(owner);
}

/**
 * Saves an entry on this device, and downloads it in the background. Asks the browser not to delete it by itself.
 * @param bytes the size of its video; 0 if it isn't known
 * @returns a sentence about why that's not possible, or null
 */
export async function saveEntryOffline(owner: string, id: string, bytes: number): Promise<string | null> {
  // Some browsers ask the person, who may take their time.
  void navigator.storage?.persist?.().catch(() => false);
  if (bytes >= ((await freeBytes()) ?? Number.POSITIVE_INFINITY)) return NO_SPACE;
  try {
    const entry = await call('GET /entry/:id', { params: { id } });
    const [keptAt, checkedAt] = [Date.now(), 0];
    // Another tab may have logged out meanwhile.
    if (!isCurrentAccount(owner)) return 'You’re logged out. Log in again, then try again.';
    const nothing = { captions: null, poster: null, etag: null, complete: false, problem: null };
    await addSavedEntry({ owner, id, keptAt, checkedAt, entry, bytes, ...nothing });
  } catch (error) {
    if (error instanceof ApiError) return describeFailure(error);
    return isDeviceFull(error) ? NO_SPACE : 'This browser doesn’t let Daylight keep anything on this device.';
  }
  void downloadSavedEntries(owner);
  return null;
}
