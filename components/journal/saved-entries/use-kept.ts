import { useEffect, useState } from 'react';
import { watchKept } from './has-kept';
import { isLocked, type KeptProgress, listKept } from './kept-store';

/** What an account keeps on this device. */
interface KeptHere {
  /** What may be shown, newest date first. */
  entries: readonly KeptProgress[];
  /** How many entries aren't shown until their owner has logged in again. */
  lockedCount: number;
}

const NOTHING: KeptHere = { entries: [], lockedCount: 0 };

async function read(owner: string): Promise<KeptHere> {
  // Where this browser stores nothing, nothing is kept.
  const all = await listKept(owner).catch(() => null);
  if (!all) return NOTHING;
  const entries = all.filter((kept) => !isLocked(kept));
  return { entries, lockedCount: all.length - entries.length };
}

/** Returns what an account keeps on this device, as it changes in any tab; null until it's known. */
export function useKept(owner: string): KeptHere | null {
  const [kept, setKept] = useState<KeptHere | null>(null);
  useEffect(() => {
    let gone = false;
    const update = () => void read(owner).then((here) => !gone && setKept(here));
    const stop = watchKept(update);
    update();
    return () => {
      gone = true;
      stop();
    };
  }, [owner]);
  return kept;
}
