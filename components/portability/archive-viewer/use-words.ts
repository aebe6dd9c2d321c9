import { useEffect, useState } from 'react';
import type { Word } from '@/lib/journal/transcripts/contract';
import { monthOf, type ViewerEntry } from './journal';
import { loadMonth } from './month-files';

const NONE: readonly Word[] = [];

export interface LoadedWords {
  words: readonly Word[];
  /** `missing` if the file with the month's words isn't in the archive any more. */
  status: 'loading' | 'loaded' | 'none' | 'missing';
}

async function loadWords(entry: ViewerEntry): Promise<LoadedWords> {
  const month = await loadMonth(monthOf(entry));
  if (!month) return { words: NONE, status: 'missing' };
  const words = month[entry.id]?.words ?? [];
  if (words.length === 0) return { words: NONE, status: 'none' };
  return {
    words: words.map(([word, start_time, end_time]) => ({ word, start_time, end_time })),
    status: 'loaded',
  };
}

/** Loads an entry's words. */
export function useWords(entry: ViewerEntry): LoadedWords {
  const [loaded, setLoaded] = useState<LoadedWords>({
    words: NONE,
    status: entry.transcribed ? 'loading' : 'none',
  });
  useEffect(() => {
    if (!entry.transcribed) return;
    let gone = false;
    void loadWords(entry).then((words) => !gone && setLoaded(words));
    return () => {
      gone = true;
    };
  }, [entry]);
  return loaded;
}
