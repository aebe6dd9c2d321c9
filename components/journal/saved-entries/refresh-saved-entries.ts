import { isCurrentAccount } from '@/components/ui/browser-storage';
import { call } from '@/lib/api/shared/client';
import { ApiError, logRejected } from '@/lib/foundation/contract/shared/api-error';
import type { Entry } from '@/lib/journal/entries/contract';
import {
  countPieces,
  deleteSavedEntries,
  isLocked,
  listSavedEntries,
  PIECE_BYTES,
  patchSavedEntry,
  readSavedEntry,
  type SavedEntry,
} from './saved-entry-store';

/** How long a saved entry isn't compared with the server's unless somebody opens it, in milliseconds: a day. */
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

/** Returns whether an entry's captions differ from those that were saved. */
function hasOtherCaptions({ entry: { transcription: before }, captions }: SavedEntry, now: Entry): boolean {
  if (!hasCaptions(now)) return false;
  const { revision, draft } = now.transcription;
  return captions === null || revision !== before.revision || draft !== before.draft;
}

/**
 * Brings a saved entry up to date, except for its video, and unlocks it, since the server has given it to its owner. If the
 * video has changed, deletes what's here of the old one.
 * @returns the saved entry; undefined if it has been removed from this device
 */
export async function updateSavedEntry(
  owner: string,
  fresh: Entry,
  signal?: AbortSignal,
): Promise<SavedEntry | undefined> {
  const saved = await readSavedEntry(owner, fresh.id);
  if (!saved) return undefined;
  const captions = hasOtherCaptions(saved, fresh)
    ? await load(`/api/v1/entry/${fresh.id}/captions.vtt`, (response) => response.text(), signal)
    : undefined;
  const poster =
    saved.poster || !fresh.thumbnail
      ? undefined
      : await load(fresh.thumbnail, (response) => response.blob(), signal);
  // A browser or a crash may have left less than the whole of it.
  const isBroken = saved.complete && (await countPieces(saved.id)) * PIECE_BYTES < saved.bytes;
  // While a new video is being made, there may be none to play.
  const isReplaced = fresh.videoUrl !== '' && fresh.videoUrl !== saved.entry.videoUrl;
  const entry = fresh.videoUrl === '' ? { ...fresh, videoUrl: saved.entry.videoUrl } : fresh;
  const patch = {
    entry,
    checkedAt: Date.now(),
    lockedAt: null,
    captions: hasCaptions(fresh) ? (captions ?? saved.captions) : null,
    poster: poster ?? saved.poster,
  };
  await patchSavedEntry(owner, fresh.id, patch, isReplaced || isBroken);
  return readSavedEntry(owner, fresh.id);
}

/**
 * Compares a saved entry with the server's, and brings it up to date. Removes it from this device if it was deleted. Does
 * nothing while the server can't be reached. Where the session is over, {@link protectSavedEntries} does the rest.
 */
export async function refreshSavedEntry(owner: string, id: string): Promise<void> {
  try {
    await updateSavedEntry(owner, await call('GET /entry/:id', { params: { id }, onExpired: 'throw' }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404 && isCurrentAccount(owner))
      await deleteSavedEntries(owner, [id]);
    else logRejected(error);
  }
}

/**
 * Brings an account's saved entries up to date, and unlocks them.
 * @param all whether to compare those, too, that were compared in the last day and aren't locked
 */
export async function refreshSavedEntries(owner: string, all: boolean): Promise<void> {
  for (const saved of await listSavedEntries(owner))
    if (all || isLocked(saved) || Date.now() - saved.checkedAt > MAX_AGE)
      await refreshSavedEntry(owner, saved.id);
}
