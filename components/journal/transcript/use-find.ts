import { useMemo, useState } from 'react';
import type { Word } from '@/lib/journal/transcripts/contract';
import { findWords, type Match } from './find-words';

const NONE: readonly Match[] = [];

/** Searches the transcript: returns the query, its matches, and the selected one. */
export function useFind(words: readonly Word[]) {
  const [query, setQuery] = useState<string | null>(null);
  const [index, setIndex] = useState(0);
  const matches = useMemo(() => (query ? findWords(words, query) : NONE), [words, query]);
  const current = Math.min(index, Math.max(matches.length - 1, 0));
  return {
    /** Null while search is closed. */
    query,
    matches,
    current,
    shown: matches[current],
    open: () => setQuery((before) => before ?? ''),
    close: () => setQuery(null),
    search(text: string) {
      setQuery(text);
      setIndex(0);
    },
    step(step: 1 | -1) {
      const { length } = matches;
      if (length > 0) setIndex((current + step + length) % length);
    },
  };
}
