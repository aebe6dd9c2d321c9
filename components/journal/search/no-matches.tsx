import { countEntries } from '@/components/journal/entries/count-entries';
import type { SearchSummary } from '@/lib/journal/search/contract';
import type { SearchFilters } from '@/lib/journal/search/service';
import { searchHref } from './search-filters';

/** Shown when nothing matches: what was searched for, and a similar word that somebody said. */
export function NoMatches({
  filters,
  suggestion,
  onChoose,
}: {
  filters: SearchFilters;
  suggestion: SearchSummary['suggestion'] | undefined;
  onChoose: (query: string) => void;
}) {
  const query = filters.query.trim();
  return (
    <div className="flex max-w-prose flex-col items-start gap-3 py-6">
      {query && <p className="heading text-[32px] [overflow-wrap:anywhere]">“{query}”</p>}
      <p className="text-17 text-ink-2">
        {query ? 'Nobody said that, in these words.' : 'No entry has all of these tags.'}
      </p>
      {suggestion && (
        <p className="text-17 text-ink-2">
          Did you mean{' '}
          <a
            href={searchHref({ ...filters, query: suggestion.query })}
            onClick={(event) => {
              event.preventDefault();
              onChoose(suggestion.query);
            }}
            className="rounded-8 font-semibold text-accent-ink underline underline-offset-4"
          >
            {suggestion.query}
          </a>
          ? It’s in {countEntries(suggestion.entries)}.
        </p>
      )}
      <p className="text-15 text-ink-3">
        Try fewer or different words, or remove a tag or date. Search covers titles, tags, notes, and
        everything you said.
      </p>
    </div>
  );
}
