import type { Metadata } from 'next';
import { SearchPanel } from '@/components/journal/search/search-panel';
import { requireUser } from '@/lib/account/sessions/guards';
import { fromIso } from '@/lib/journal/entries/shared/calendar';
import { search, summarizeSearch } from '@/lib/journal/search/service';
import { listTags } from '@/lib/journal/tags/service';

export const metadata: Metadata = { title: 'Search' };

type SearchParam = string | string[] | undefined;

const firstValue = (value: SearchParam): string => (Array.isArray(value) ? value[0] : value) ?? '';

/** Searches all entries. The filters are in the address. */
export default async function SearchPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, SearchParam>>;
}) {
  const user = await requireUser();
  const parameters = await searchParams;
  const query = firstValue(parameters.query);
  const categories = [parameters.categories ?? []].flat().filter(Boolean);
  const [from, to] = [fromIso(firstValue(parameters.dateRange)), fromIso(firstValue(parameters.to))];
  const filters = { query, categories, ...(from ? { from } : {}), ...(to ? { to } : {}) };
  const isWanted = query.trim() !== '' || categories.length > 0;
  const [tags, page, summary] = await Promise.all([
    listTags(user.id),
    isWanted ? search(user.id, { ...filters, limit: 30, count: false }) : null,
    isWanted ? summarizeSearch(user.id, filters) : null,
  ]);
  const initial = {
    query,
    categories,
    dateRange: from ? firstValue(parameters.dateRange) : '',
    to: to ? firstValue(parameters.to) : '',
  };
  return (
    <div className="gutter mx-auto w-full max-w-page pt-3 pb-8 sm:pt-6">
      <h1 className="sr-only">Search</h1>
      <SearchPanel
        key={JSON.stringify(initial)}
        owner={user.id}
        tags={tags}
        initial={initial}
        found={page && { results: page.results, next: page.next, summary }}
      />
    </div>
  );
}
