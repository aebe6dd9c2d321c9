'use client';

import { useEffect, useRef, useState } from 'react';
import { countEntries } from '@/components/entries/count-entries';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { usePrehydrationForm } from '@/components/ui/prehydration-input';
import { TagDot } from '@/components/ui/tag-dot';
import type { SearchResult } from '@/lib/search/contract';
import type { Tag } from '@/lib/tags/contract';
import { clearRecentSearches, getRecentSearches, saveRecentSearch } from './recent-searches';
import { hasSearchCriteria, readSearchForm, type SearchFilters } from './search-filters';
import { SearchResults } from './search-results';
import { useSearch } from './use-search';

/** How many results are shown at most, which is the API's default limit. */
const MAX_RESULTS = 30;

function resultCountText(results: SearchResult[]): string {
  if (results.length === 0) return 'No entries found.';
  if (results.length >= MAX_RESULTS) return `Top ${results.length} results`;
  return countEntries(results.length);
}

function TagFilter({ tags, chosen }: { tags: Tag[]; chosen: string[] }) {
  if (tags.length === 0) return null;
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-14 font-semibold text-ink">Tags</legend>
      {/* A single scrolling row on phones, so that the results stay close. */}
      <div className="-m-1.5 flex gap-2 overflow-x-auto p-1.5 sm:flex-wrap">
        {tags.map(({ id, name, color }) => (
          <label
            key={id}
            className="inline-flex min-h-11 max-w-full shrink-0 cursor-pointer items-center gap-2 rounded-pill border border-line-strong bg-surface px-3.5 hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
          >
            <input
              type="checkbox"
              name="categories"
              value={id}
              defaultChecked={chosen.includes(id)}
              className="size-4 shrink-0 accent-accent outline-none"
            />
            <TagDot name={name} color={color} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function RecentSearches({
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
          <span className="truncate">{query}</span>
        </Button>
      ))}
      <Button variant="ghost" size="sm" onClick={onClear}>
        Clear
      </Button>
    </section>
  );
}

/** The search page: a form that also works without script, and results that update as it changes. */
export function SearchPanel({
  owner,
  tags,
  initial,
  found,
}: {
  /** The account. */
  owner: string;
  tags: Tag[];
  initial: SearchFilters;
  found: SearchResult[] | null;
}) {
  const form = useRef<HTMLFormElement>(null);
  const [recent, setRecent] = useState<string[]>([]);
  const { results, busy, search } = useSearch(found);
  useEffect(
    () =>
      setRecent(
        hasSearchCriteria(initial) ? saveRecentSearch(owner, initial.query) : getRecentSearches(owner),
      ),
    [owner, initial],
  );

  usePrehydrationForm(form, (typed) => search(readSearchForm(typed), 'now'));

  function submit(event: { preventDefault(): void }) {
    if (!form.current) return;
    event.preventDefault();
    const filters = readSearchForm(form.current);
    setRecent(saveRecentSearch(owner, filters.query));
    search(filters, 'now');
  }

  function choose(query: string) {
    const input = form.current?.elements.namedItem('query');
    if (!form.current || !(input instanceof HTMLInputElement)) return;
    input.value = query;
    input.focus();
    search(readSearchForm(form.current), 'now');
  }

  return (
    <div className="flex flex-col gap-7">
      <search>
        <form
          ref={form}
          action="/search"
          onSubmit={submit}
          onInput={(event) => {
            const typing = event.target instanceof HTMLInputElement && event.target.name === 'query';
            search(readSearchForm(event.currentTarget), typing ? 'soon' : 'now');
          }}
          className="flex flex-col gap-5"
        >
          <div className="flex items-end gap-3">
            <TextField
              label="Search your entries"
              type="search"
              name="query"
              defaultValue={initial.query}
              autoComplete="off"
              enterKeyHint="search"
              maxLength={500}
              className="min-w-0 grow"
            />
            <Button type="submit">Search</Button>
          </div>
          <div className="grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] gap-4 sm:grid-cols-[11rem_11rem]">
            <TextField label="From" type="date" name="dateRange" defaultValue={initial.dateRange} />
            <TextField label="To" type="date" name="to" defaultValue={initial.to} />
          </div>
          <TagFilter tags={tags} chosen={initial.categories} />
        </form>
      </search>
      <RecentSearches
        searches={results === null ? recent : []}
        onChoose={choose}
        onClear={() => {
          clearRecentSearches(owner);
          setRecent([]);
        }}
      />
      <p role="status" aria-busy={busy} className="-mb-3 min-h-6 text-16 text-ink-2">
        {results === null
          ? 'Try a few words, “an exact phrase”, or -word to leave a word out.'
          : resultCountText(results)}
      </p>
      {results !== null && results.length === 0 && (
        <p className="text-16 text-ink-2">
          Try fewer or different words, or remove a tag or date. Search covers titles, tags, notes, and
          everything you said.
        </p>
      )}
      {results !== null && <SearchResults results={results} />}
    </div>
  );
}
