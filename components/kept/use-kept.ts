import { useEffect, useState } from 'react';
import { watchKept } from './has-kept';
import { type KeptProgress, listKept } from './kept-store';

/** Returns what an account keeps on this device, as it changes in any tab; null until it's known. */
export function useKept(owner: string): readonly KeptProgress[] | null {
  const [kept, setKept] = useState<readonly KeptProgress[] | null>(null);
  useEffect(() => {
    let gone = false;
    const read = () =>
      void listKept(owner)
        // Where this browser stores nothing, nothing is kept.
        .catch(() => [])
        .then((list) => !gone && setKept(list));
    const stop = watchKept(read);
    read();
    return () => {
      gone = true;
      stop();
    };
  }, [owner]);
  return kept;
}
