/** What the form of the search page asks for; each part as its input has it. */
export interface SearchFilters {
  query: string;
  /** Ids of tags, all of which an entry must carry. */
  categories: string[];
  /** `YYYY-MM-DD` or ''. */
  dateRange: string;
  to: string;
}

/** Whether there is anything to look for: dates alone only narrow down. */
export const hasSearchCriteria = ({ query, categories }: SearchFilters) =>
  query.trim() !== '' || categories.length > 0;

/** What a form of this page holds. */
export function readSearchForm(form: HTMLFormElement): SearchFilters {
  const data = new FormData(form);
  const text = (name: string) => String(data.get(name) ?? '');
  return {
    query: text('query'),
    categories: data.getAll('categories').map(String),
    dateRange: text('dateRange'),
    to: text('to'),
  };
}

/** The address of the page that shows it, as a form without script would send it, without what is empty. */
export function searchHref({ query, categories, dateRange, to }: SearchFilters): string {
  const search = new URLSearchParams();
  if (query) search.set('query', query);
  for (const id of categories) search.append('categories', id);
  if (dateRange) search.set('dateRange', dateRange);
  if (to) search.set('to', to);
  const text = search.toString();
  return text ? `/search?${text}` : '/search';
}

/** The path of the call below `/api/v1`. */
export function searchApiPath({ query, categories, dateRange, to }: SearchFilters): string {
  const search = new URLSearchParams({ query, categories: categories.join() });
  if (dateRange) search.set('from', dateRange);
  if (to) search.set('to', to);
  return `/search?${search}`;
}
