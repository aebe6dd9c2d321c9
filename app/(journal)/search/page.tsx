import type { Metadata } from 'next';
import { hasSearchCriteria, readSearchFilters } from '@/components/journal/search/search-filters';
import { SearchPanel } from '@/components/journal/search/search-panel';
import { requireUser } from '@/lib/account/sessions/guards';
import { search, summarizeSearch } from '@/lib/journal/search/service';
import { listTags } from '@/lib/journal/tags/service';

export const metadata: Metadata = { title: 'Search' };

/** Searches all entries. The filters are in the address. */
export default async function SearchPage({ searchParams }: PageProps<'/search'>) {
  const user = await requireUser();
  const values = Object.entries(await searchParams).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, one]),
  );
  const filters = readSearchFilters(new URLSearchParams(values));
  const isWanted = hasSearchCriteria(filters);
  const [tags, page, summary] = await Promise.all([
    listTags(user.id),
    isWanted ? search(user.id, { ...filters, limit: 30, count: false }) : null,
    isWanted ? summarizeSearch(user.id, filters) : null,
  ]);
  return (
    <div className="gutter mx-auto w-full max-w-page pt-3 pb-8 sm:pt-6">
      <h1 className="sr-only">Search</h1>
      <SearchPanel
        key={JSON.stringify(filters)}
        owner={user.id}
        tags={tags}
        initial={filters}
        found={page && { results: page.results, next: page.next, summary }}
      />
    </div>
  );
}
