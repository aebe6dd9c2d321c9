import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { countEntries } from '@/components/journal/entries/count-entries';
import { SearchResults } from '@/components/journal/search/search-results';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { PageHeading } from '@/components/ui/page-heading';
import { ProgressBar } from '@/components/ui/progress-bar';
import type { Journal } from './journal';
import { searchPath } from './route';
import { type SearchProgress, useArchiveSearch } from './use-archive-search';

/** How many results are shown at first, and how many more each time. */
const PAGE = 30;

/** How long typing must pause before a search starts, in milliseconds. */
const DEBOUNCE_MS = 200;

function statusText({ results, searched, months }: SearchProgress): string {
  if (months === 0) return 'Try a few words, “an exact phrase”, or -word to leave a word out.';
  const count = countEntries(results.length);
  if (searched < months) return `Searching… ${count} so far.`;
  return results.length === 0 ? 'No entries found.' : count;
}

/** Returns what was typed, once typing pauses, and keeps the address up to date with it. */
function useTypedQuery(initial: string) {
  const [query, setQuery] = useState(initial);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    query,
    type(text: string) {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        setQuery(text);
        // Unlike a new hash, this neither renders the page again nor adds to the history.
        window.history.replaceState(null, '', `#${searchPath(text)}`);
      }, DEBOUNCE_MS);
    },
  };
}

/** Searches titles, tags, notes, and every word. @param initial the query in the address */
export function SearchPage({ journal, initial }: { journal: Journal; initial: string }) {
  const { query, type } = useTypedQuery(initial);
  const progress = useDeferredValue(useArchiveSearch(journal, query));
  const [shown, setShown] = useState(PAGE);
  const { results, searched, months, missing } = progress;
  return (
    <>
      <PageHeading>Search</PageHeading>
      <search>
        <TextField
          label="Search your entries"
          type="search"
          name="query"
          defaultValue={initial}
          autoComplete="off"
          enterKeyHint="search"
          maxLength={500}
          onChange={({ target }) => {
            type(target.value);
            setShown(PAGE);
          }}
        />
      </search>
      <div className="flex flex-col gap-2">
        <p role="status" className="text-16 text-ink-2">
          {statusText(progress)}
        </p>
        {searched < months && <ProgressBar label="Months searched" value={searched} max={months} />}
        {missing.length > 0 && (
          <p className="text-15 text-warn">
            We couldn’t load the words of some months, so this covers only their titles, tags, and notes. Put
            back these files: {missing.map((month) => `viewer/data/${month}.js`).join(', ')}
          </p>
        )}
      </div>
      <SearchResults results={results.slice(0, shown)} />
      {results.length > shown && (
        <Button variant="secondary" className="self-center" onClick={() => setShown(shown + PAGE)}>
          Show more results
        </Button>
      )}
    </>
  );
}
