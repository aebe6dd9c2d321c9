import { useEffect, useRef, useState } from 'react';
import { getAccountValue, parseSaved, setAccountValue } from '@/components/ui/browser-storage';
import { Button } from '@/components/ui/button';

const STORAGE_KEY = 'searches';
const MAX_RECENT = 8;

/** Returns an account's recent searches in this browser, newest first. */
const getRecentSearches = (owner: string): string[] => parseSaved(getAccountValue(owner, STORAGE_KEY)) ?? [];

/** Saves a search as the most recent one. Returns all recent searches. */
function saveRecentSearch(owner: string, query: string): string[] {
  const wanted = query.trim();
  if (!wanted) return getRecentSearches(owner);
  const all = [wanted, ...getRecentSearches(owner).filter((entry) => entry !== wanted)].slice(0, MAX_RECENT);
  setAccountValue(owner, STORAGE_KEY, JSON.stringify(all));
  return all;
}

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
      setAccountValue(owner, STORAGE_KEY, null);
      setRecent([]);
    },
  };
}

/** The account's recent searches in this browser. */
export function RecentList({
  searches,
  onChoose,
  onClear,
}: {
  searches: string[];
  onChoose: (query: string) => void;
  onClear: () => void;
}) {
  if (searches.length === 0) return null;
  return (
    <section aria-label="Recent searches" className="flex flex-wrap items-center gap-2">
      <h2 className="mr-1 text-14 font-semibold text-ink-2">Recent</h2>
      {searches.map((query) => (
        <Button
          key={query}
          variant="secondary"
          size="sm"
          className="max-w-full"
          onClick={() => onChoose(query)}
        >
          <span dir="auto" className="truncate">
            {query}
          </span>
        </Button>
      ))}
      <Button variant="ghost" size="sm" onClick={onClear}>
        Clear
      </Button>
    </section>
  );
}
