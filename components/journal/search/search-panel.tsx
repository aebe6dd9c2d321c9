'use client';

import { usePrehydrationInput } from '@/components/ui/prehydration-input';
import type { SearchFilters } from '@/lib/journal/search/service';
import type { Tag } from '@/lib/journal/tags/contract';
import { ClearFilters } from './clear-filters';
import { FilterChips } from './filter-chips';
import { MoreResults } from './more-results';
import { NoMatches } from './no-matches';
import { RecentList } from './recent-list';
import { ResultCount } from './result-count';
import { SearchField } from './search-field';
import { fillSearchForm, readSearchFilters } from './search-filters';
import { SearchResults } from './search-results';
import { useRecentSearches } from './use-recent-searches';
import { type Found, useSearch } from './use-search';
import { YearCounts } from './year-counts';

/** The search page: a form that also works without script, and results that update as it changes. */
export function SearchPanel({
  owner,
  tags,
  initial,
  found: rendered,
}: {
  /** The account. */
  owner: string;
  tags: Tag[];
  initial: SearchFilters;
  /** Null if there's nothing to search for. */
  found: Found | null;
}) {
  const { filters, found, counted, busy, more, search, showMore } = useSearch({
    filters: initial,
    found: rendered,
  });
  const hasResults = found !== null && found.results.length > 0;
  const { recent, ...searches } = useRecentSearches(owner, hasResults ? filters.query : null);

  const form = usePrehydrationInput<HTMLFormElement>((typed) =>
    search(readSearchFilters(new FormData(typed)), 'now'),
  );

  /** Changes the form, and searches for what it has then. */
  function choose(change: Partial<SearchFilters>) {
    if (!form.current) return;
    const wanted = { ...readSearchFilters(new FormData(form.current)), ...change };
    fillSearchForm(form.current, wanted);
    search(wanted, 'now');
  }

  function chooseQuery(query: string) {
    searches.submit(query);
    choose({ query });
    const input = form.current?.elements.namedItem('query');
    if (input instanceof HTMLInputElement) input.focus();
  }

  const summary = found?.summary;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-11 min-[1080px]:grid-cols-[minmax(0,1fr)_248px]">
      <search className="col-span-full">
        <form
          ref={form}
          action="/search"
          onSubmit={(event) => {
            event.preventDefault();
            const wanted = readSearchFilters(new FormData(event.currentTarget));
            searches.submit(wanted.query);
            search(wanted, 'now');
          }}
          onInput={(event) => {
            const typing = event.target instanceof HTMLInputElement && event.target.name === 'query';
            search(readSearchFilters(new FormData(event.currentTarget)), typing ? 'soon' : 'now');
          }}
          className="flex flex-col gap-3 sm:gap-4"
        >
          <SearchField initial={initial.query} onClear={() => choose({ query: '' })} />
          <div className="flex min-w-0 flex-col gap-x-6 gap-y-3 sm:flex-row sm:items-start sm:justify-between">
            <FilterChips tags={tags} initial={initial} filters={filters} onChoose={choose} />
            <div className="flex shrink-0 items-center justify-between gap-5 sm:flex-row-reverse sm:py-2.5">
              <ResultCount found={found} busy={busy} />
              <ClearFilters filters={filters} onClear={choose} />
            </div>
          </div>
        </form>
      </search>
      {found === null ? (
        <div className="col-span-full flex flex-col gap-6 pt-4">
          <RecentList searches={recent} onChoose={chooseQuery} onClear={searches.clear} />
          <p className="text-16 text-ink-2">
            Try a few words, “an exact phrase”, or <span className="whitespace-nowrap">-word</span> to leave a
            word out.
          </p>
        </div>
      ) : (
        <div className="min-w-0 sm:pt-1" onClickCapture={searches.save}>
          {summary?.spelling && (
            <p className="pt-4 text-15 text-ink-2">
              Showing results for <strong className="font-semibold text-ink">“{summary.spelling}”</strong>
            </p>
          )}
          {hasResults ? (
            <SearchResults results={found.results} />
          ) : (
            <NoMatches filters={filters} suggestion={summary?.suggestion} onChoose={chooseQuery} />
          )}
          {found.next && (
            <MoreResults
              left={summary ? summary.total - found.results.length : null}
              state={more}
              onMore={() => void showMore()}
            />
          )}
        </div>
      )}
      {found && counted && (
        <div className="hidden pt-7 min-[1080px]:block">
          <YearCounts filters={filters} summary={counted} onChoose={choose} />
        </div>
      )}
    </div>
  );
}
