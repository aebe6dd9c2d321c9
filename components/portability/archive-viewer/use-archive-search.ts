import { useEffect, useState } from 'react';
import type { SearchResult } from '@/lib/journal/search/contract';
import { groupEntries, type Journal, monthOf, type ViewerEntry } from './journal';
import { loadMonth } from './month-files';
import { matchEntry, readQuery } from './search';
import { type Searchable, toSearchable } from './searchable';

export interface SearchProgress {
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
export function useArchiveSearch({ entries }: Journal, query: string): SearchProgress {
  const [progress, setProgress] = useState(IDLE);
  useEffect(() => {
    const stop = new AbortController();
    void searchMonths(entries, query, stop.signal, setProgress);
    return () => stop.abort();
  }, [entries, query]);
  return progress;
}
