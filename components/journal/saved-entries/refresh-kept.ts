import { isCurrentAccount } from '@/components/ui/browser-storage';
import { call } from '@/lib/api/shared/client';
import { ApiError, logRejected } from '@/lib/foundation/contract/shared/api-error';
import type { Entry } from '@/lib/journal/entries/contract';
import {
  countPieces,
  deleteKept,
  isLocked,
  type KeptEntry,
  listKept,
  PIECE_BYTES,
  patchKept,
  readKept,
} from './kept-store';

/** How long a kept entry isn't compared with the server's unless somebody opens it, in milliseconds: a day. */
const MAX_AGE = 24 * 60 * 60 * 1000;

/** Returns what a GET of the site answers, or undefined. @throws the signal's reason */
async function load<T>(
  address: string,
  read: (response: Response) => Promise<T>,
  signal?: AbortSignal,
): Promise<T | undefined> {
  try {
    const response = await fetch(address, { cache: 'no-store', signal: signal ?? null });
    return response.ok ? await read(response) : undefined;
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}

const hasCaptions = ({ transcription: { revision } }: Entry) => revision !== null;

/** Returns whether an entry's captions differ from those that were kept. */
function hasOtherCaptions({ entry: { transcription: before }, captions }: KeptEntry, now: Entry): boolean {
  if (!hasCaptions(now)) return false;
  const { revision, draft } = now.transcription;
  return captions === null || revision !== before.revision || draft !== before.draft;
}

/**
 * Brings a kept entry up to date, except for its video, and unlocks it, since the server has given it to its owner. If the
 * video has changed, deletes what's here of the old one.
 * @returns the kept entry; undefined if it has been removed from this device
 */
export async function saveFresh(
  owner: string,
  fresh: Entry,
  signal?: AbortSignal,
): Promise<KeptEntry | undefined> {
  const kept = await readKept(owner, fresh.id);
  if (!kept) return undefined;
  const captions = hasOtherCaptions(kept, fresh)
    ? await load(`/api/v1/entry/${fresh.id}/captions.vtt`, (response) => response.text(), signal)
    : undefined;
  const poster =
    kept.poster || !fresh.thumbnail
      ? undefined
      : await load(fresh.thumbnail, (response) => response.blob(), signal);
  // A browser or a crash may have left less than the whole of it.
  const isBroken = kept.complete && (await countPieces(kept.id)) * PIECE_BYTES < kept.bytes;
  // While a new video is being made, there may be none to play.
  const isReplaced = fresh.videoUrl !== '' && fresh.videoUrl !== kept.entry.videoUrl;
  const entry = fresh.videoUrl === '' ? { ...fresh, videoUrl: kept.entry.videoUrl } : fresh;
  const patch = {
    entry,
    checkedAt: Date.now(),
    lockedAt: null,
    captions: hasCaptions(fresh) ? (captions ?? kept.captions) : null,
    poster: poster ?? kept.poster,
  };
  await patchKept(owner, fresh.id, patch, isReplaced || isBroken);
  return readKept(owner, fresh.id);
}

/**
 * Compares a kept entry with the server's, and brings it up to date. Removes it from this device if it was deleted. Does
 * nothing while the server can't be reached. Where the session is over, {@link settleKept} does the rest.
 */
export async function refreshKept(owner: string, id: string): Promise<void> {
  try {
    await saveFresh(owner, await call('GET /entry/:id', { params: { id }, onExpired: 'throw' }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404 && isCurrentAccount(owner))
      await deleteKept(owner, [id]);
    else logRejected(error);
  }
}

/**
 * Brings an account's kept entries up to date, and unlocks them.
 * @param all whether to compare those, too, that were compared in the last day and aren't locked
 */
export async function refreshAllKept(owner: string, all: boolean): Promise<void> {
  for (const kept of await listKept(owner))
    if (all || isLocked(kept) || Date.now() - kept.checkedAt > MAX_AGE) await refreshKept(owner, kept.id);
}
