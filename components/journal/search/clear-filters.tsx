import type { SearchFilters } from '@/lib/journal/search/service';
import { ANY_DATE, searchHref } from './search-filters';

/** Clears all filters in one press, if there are any. The text stays. */
export function ClearFilters({
  filters,
  onClear,
}: {
  filters: SearchFilters;
  onClear: (cleared: Omit<SearchFilters, 'query'>) => void;
}) {
  const isFiltered = filters.categories.length > 0 || filters.from || filters.to;
  if (!isFiltered) return null;
  const cleared = { ...filters, ...ANY_DATE, categories: [] };
  return (
    <a
      href={searchHref(cleared)}
      onClick={(event) => {
        event.preventDefault();
        onClear({ ...ANY_DATE, categories: [] });
      }}
      className="-my-2.5 inline-flex min-h-11 shrink-0 items-center rounded-8 text-14 font-semibold text-accent-ink hover:underline"
    >
      Clear filters
    </a>
  );
}
