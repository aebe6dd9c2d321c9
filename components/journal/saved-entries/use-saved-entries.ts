import { useEffect, useState } from 'react';
import { watchSavedEntries } from './saved-entries-owner';
import { isLocked, listSavedEntries, type SavedEntryProgress } from './saved-entry-store';

/** What an account has saved on this device. */
interface SavedHere {
  /** What may be shown, newest date first. */
  entries: readonly SavedEntryProgress[];
  /** How many entries aren't shown until their owner has logged in again. */
  lockedCount: number;
}

const NOTHING: SavedHere = { entries: [], lockedCount: 0 };

async function read(owner: string): Promise<SavedHere> {
  // Where this browser stores nothing, nothing is saved.
  const all = await listSavedEntries(owner).catch(() => null);
  if (!all) return NOTHING;
  const entries = all.filter((saved) => !isLocked(saved));
  return { entries, lockedCount: all.length - entries.length };
}

/** Returns what an account has saved on this device, as it changes in any tab; null until it's known. */
export function useSavedEntries(owner: string): SavedHere | null {
  const [saved, setSaved] = useState<SavedHere | null>(null);
  useEffect(() => {
    let gone = false;
    const update = () => void read(owner).then((here) => !gone && setSaved(here));
    const stop = watchSavedEntries(update);
    update();
    return () => {
      gone = true;
      stop();
    };
  }, [owner]);
  return saved;
}
