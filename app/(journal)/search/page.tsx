import type { Metadata } from 'next';
import { SearchPanel } from '@/components/search/search-panel';
import { PageHeading } from '@/components/ui/page-heading';
import { fromIso } from '@/lib/entries/calendar';
import { search } from '@/lib/search/service';
import { requireUser } from '@/lib/sessions/guards';
import { listTags } from '@/lib/tags/service';

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
  const wanted = query.trim() !== '' || categories.length > 0;
  const [tags, found] = await Promise.all([
    listTags(user.id),
    wanted
      ? search(user.id, { query, categories, limit: 30, ...(from ? { from } : {}), ...(to ? { to } : {}) })
      : null,
  ]);
  const initial = {
    query,
    categories,
    dateRange: from ? firstValue(parameters.dateRange) : '',
    to: to ? firstValue(parameters.to) : '',
  };
  return (
    <div className="gutter mx-auto flex w-full max-w-page flex-col gap-7 py-8 sm:py-11">
      <PageHeading>Search</PageHeading>
      <SearchPanel
        key={JSON.stringify(initial)}
        owner={user.id}
        tags={tags}
        initial={initial}
        found={found?.results ?? null}
      />
    </div>
  );
}
