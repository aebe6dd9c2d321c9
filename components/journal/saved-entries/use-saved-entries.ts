import { useEffect, useState } from 'react';
import { watchSavedEntries } from './saved-entries-owner';
import { isLocked, listSavedEntries, type SavedEntryProgress } from './saved-entry-store';

/** What an account has saved on this device. */
async function read(owner: string) {
  // Where this browser stores nothing, nothing is saved.
  const all = await listSavedEntries(owner).catch((): SavedEntryProgress[] => []);
  const entries = all.filter((saved) => !isLocked(saved));
  return {
    /** What may be shown, newest date first. */
    entries,
    /** How many entries aren't shown until their owner has logged in again. */
    lockedCount: all.length - entries.length,
  };
}

type SavedHere = Awaited<ReturnType<typeof read>>;

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
