'use client';

import { Search, X } from 'lucide';
import { useRef } from 'react';
import { Icon } from '@/components/ui/icon';
import { usePrehydrationInput } from '@/components/ui/prehydration-input';
import type { SearchFilters } from '@/lib/journal/search/service';
import type { Tag } from '@/lib/journal/tags/contract';
import { FilterChips } from './filter-chips';
import { RecentList, useRecentSearches } from './recent-searches';
import { ANY_DATE, fillSearchForm, readSearchFilters, searchHref } from './search-filters';
import { MoreResults, NoMatches, ResultCount, SearchResults } from './search-results';
import { type Found, useSearch } from './use-search';
import { YearCounts } from './year-counts';

/** The text box with its Search button, which is an icon on phones. It's the page's title to the eye. */
function SearchField({ initial, onClear }: { initial: string; onClear: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="flex min-h-14 items-center rounded-pill border border-line-strong bg-surface pr-1 pl-1 shadow-sm focus-within:border-accent focus-within:ring-3 focus-within:ring-accent-soft sm:min-h-16 sm:pr-2 sm:pl-5">
      <Icon of={Search} className="size-5 shrink-0 text-ink-2 max-sm:hidden" aria-hidden="true" />
      <input
        ref={input}
        type="search"
        name="query"
        dir="auto"
        aria-label="Search your entries"
        placeholder="Search your entries"
        defaultValue={initial}
        autoComplete="off"
        enterKeyHint="search"
        maxLength={500}
        className="peer h-14 min-w-0 grow bg-transparent px-1.5 font-serif text-[24px] text-ink outline-none placeholder:text-ink-3 max-[359px]:text-20 sm:h-16 sm:px-3.5 [&::-webkit-search-cancel-button]:hidden"
      />
      <button
        type="button"
        aria-label="Clear text"
        onClick={() => {
          if (!input.current) return;
          input.current.value = '';
          input.current.focus();
          onClear();
        }}
        className="grid size-11 shrink-0 place-items-center rounded-pill text-ink-2 peer-placeholder-shown:hidden hover:bg-sunken hover:text-ink"
      >
        <Icon of={X} className="size-5" aria-hidden="true" />
      </button>
      <button
        type="submit"
        className="inline-flex size-11 shrink-0 items-center justify-center rounded-pill text-ink-2 max-sm:order-first hover:bg-sunken sm:ml-1.5 sm:h-12 sm:w-auto sm:bg-accent sm:px-5 sm:text-15 sm:font-semibold sm:text-on-accent sm:hover:bg-accent-hover"
      >
        <Icon of={Search} className="size-5 sm:hidden" aria-hidden="true" />
        <span className="max-sm:sr-only">Search</span>
      </button>
    </div>
  );
}

const NO_FILTERS = { ...ANY_DATE, categories: [] };

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
  const isFiltered = filters.categories.length > 0 || filters.from || filters.to;
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
              {isFiltered && (
                <a
                  href={searchHref({ ...filters, ...NO_FILTERS })}
                  onClick={(event) => {
                    event.preventDefault();
                    choose(NO_FILTERS);
                  }}
                  className="-my-2.5 inline-flex min-h-11 shrink-0 items-center rounded-8 text-14 font-semibold text-accent-ink hover:underline"
                >
                  Clear filters
                </a>
              )}
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
