/** What the search page's form asks for, each as the text of its input. */
export interface SearchFilters {
  query: string;
  /** Ids of tags. An entry must have all of them. */
  categories: string[];
  /** `YYYY-MM-DD` or ''. */
  dateRange: string;
  to: string;
}

/** Returns whether there's anything to search for. Dates alone only narrow down results. */
export const hasSearchCriteria = ({ query, categories }: SearchFilters) =>
  query.trim() !== '' || categories.length > 0;

/** Reads the search page's form. */
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

/** Returns the search page's address for these filters, as a form without script would send it, minus empty fields. */
export function searchHref({ query, categories, dateRange, to }: SearchFilters): string {
  const search = new URLSearchParams();
  if (query) search.set('query', query);
  for (const id of categories) search.append('categories', id);
  if (dateRange) search.set('dateRange', dateRange);
  if (to) search.set('to', to);
  const text = search.toString();
  return text ? `/search?${text}` : '/search';
}

/** Returns what the API searches for. An empty date doesn't limit anything. */
export const toSearchQuery = ({ query, categories, dateRange, to }: SearchFilters) => ({
  query,
  categories,
  from: dateRange || undefined,
  to: to || undefined,
});
