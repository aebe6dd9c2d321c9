import { useEffect, useRef, useState } from 'react';
import { clearRecentSearches, getRecentSearches, saveRecentSearch } from './recent-searches';

/** How long results must have been on screen for their search to count as one, in milliseconds. */
const READ_FOR = 2000;

/**
 * Keeps the account's recent searches: those that found something and were submitted, looked at for a while, or had a
 * result opened. What's typed on the way to a word isn't one.
 * @param query what the results on screen are for; null if there are none
 */
export function useRecentSearches(owner: string, query: string | null) {
  const [recent, setRecent] = useState<string[]>([]);
  // What the page was opened with was submitted elsewhere.
  const submitted = useRef(query);
  useEffect(() => setRecent(getRecentSearches(owner)), [owner]);
  useEffect(() => {
    if (query === null) return;
    const wait = submitted.current === query ? 0 : READ_FOR;
    const timer = setTimeout(() => setRecent(saveRecentSearch(owner, query)), wait);
    return () => clearTimeout(timer);
  }, [owner, query]);
  const save = () => {
    if (query !== null) setRecent(saveRecentSearch(owner, query));
  };
  return {
    recent,
    save,
    /** Saves a search at once if it's on screen, and else as soon as it finds something. */
    submit(typed: string) {
      submitted.current = typed;
      if (typed === query) save();
    },
    clear() {
      clearRecentSearches(owner);
      setRecent([]);
    },
  };
}
