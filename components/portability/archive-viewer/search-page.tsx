import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { countEntries } from '@/components/journal/entries/count-entries';
import { SearchResults } from '@/components/journal/search/search-results';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { PageHeading } from '@/components/ui/page-heading';
import { ProgressBar } from '@/components/ui/progress-bar';
import type { SearchResult } from '@/lib/journal/search/contract';
import { groupEntries, type Journal, monthOf, type ViewerEntry } from './journal';
import { loadMonth } from './month-files';
import { searchPath } from './route';
import { matchEntry, readQuery, type Searchable, toSearchable } from './search';

interface SearchProgress {
  /** Newest first; more are added as months are searched. */
  results: readonly SearchResult[];
  searched: number;
  months: number;
  /** Months whose words couldn't be loaded. */
  missing: readonly string[];
}

const IDLE: SearchProgress = { results: [], searched: 0, months: 0, missing: [] };

/** How often results are shown while a search goes on, in milliseconds. */
const SHOW_EVERY = 100;

/** What has been loaded, for the next search. */
const prepared = new Map<string, readonly Searchable[]>();

/** Returns a month in the form that's searched, and whether its words are missing. */
async function prepareMonth(
  month: string,
  entries: readonly ViewerEntry[],
): Promise<{ searchables: readonly Searchable[]; missing: boolean }> {
  const before = prepared.get(month);
  if (before) return { searchables: before, missing: false };
  const transcribed = entries.some((entry) => entry.transcribed);
  const words = transcribed ? await loadMonth(month) : null;
  const searchables = toSearchable(entries, words);
  const missing = transcribed && !words;
  // A missing file may be put back.
  if (!missing) prepared.set(month, searchables);
  return { searchables, missing };
}

const letPageRespond = () => new Promise((resolve) => setTimeout(resolve));

/** Searches month by month, newest first, and reports what it has found so far. Stops when `signal` aborts. */
async function searchMonths(
  entries: readonly ViewerEntry[],
  query: string,
  signal: AbortSignal,
  report: (progress: SearchProgress) => void,
): Promise<void> {
  const terms = readQuery(query);
  if (terms.length === 0) return report(IDLE);
  const byMonth = [...groupEntries(entries, monthOf)];
  const results: SearchResult[] = [];
  const missing: string[] = [];
  let shownAt = performance.now();
  const show = (searched: number) =>
    report({ results: [...results], searched, months: byMonth.length, missing: [...missing] });
  for (const [index, [month, ofMonth]] of byMonth.entries()) {
    const { searchables, missing: lost } = await prepareMonth(month, ofMonth);
    if (signal.aborted) return;
    if (lost) missing.push(month);
    results.push(...searchables.flatMap((searchable) => matchEntry(searchable, terms) ?? []));
    if (performance.now() - shownAt < SHOW_EVERY) continue;
    show(index + 1);
    await letPageRespond();
    if (signal.aborted) return;
    shownAt = performance.now();
  }
  show(byMonth.length);
}

/** Searches the whole journal. A new query ends the search for the one before. */
function useArchiveSearch({ entries }: Journal, query: string): SearchProgress {
  const [progress, setProgress] = useState(IDLE);
  useEffect(() => {
    const stop = new AbortController();
    void searchMonths(entries, query, stop.signal, setProgress);
    return () => stop.abort();
  }, [entries, query]);
  return progress;
}

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
