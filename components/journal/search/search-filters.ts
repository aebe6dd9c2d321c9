import { type CalendarDate, fromIso, toIso } from '@/lib/journal/entries/shared/calendar';
import type { SearchFilters } from '@/lib/journal/search/service';

export type DateRange = Pick<SearchFilters, 'from' | 'to'>;

export const ANY_DATE: DateRange = { from: '', to: '' };

/** Returns whether there's anything to search for. Dates alone only narrow down results. */
export const hasSearchCriteria = ({ query, categories }: SearchFilters) =>
  query.trim() !== '' || categories.length > 0;

/** Reads the search page's form, or its address. What isn't a date is left out. */
export function readSearchFilters(data: FormData | URLSearchParams): SearchFilters {
  const text = (name: string) => String(data.get(name) ?? '');
  const day = (name: string) => (fromIso(text(name)) ? text(name) : '');
  return {
    query: text('query'),
    categories: data.getAll('categories').map(String).filter(Boolean),
    from: day('dateRange'),
    to: day('to'),
  };
}

/** Puts filters into the search page's form. */
export function fillSearchForm(form: HTMLFormElement, filters: SearchFilters): void {
  const { query, categories, from = '', to = '' } = filters;
  for (const [name, value] of Object.entries({ query, dateRange: from, to })) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement) field.value = value;
  }
  for (const box of form.querySelectorAll<HTMLInputElement>('[name=categories]'))
    box.checked = categories.includes(box.value);
}

/** Returns the search page's address for these filters, as a form without script would send it, minus empty fields. */
export function searchHref({ query, categories, from, to }: SearchFilters): string {
  const search = new URLSearchParams();
  if (query) search.set('query', query);
  for (const id of categories) search.append('categories', id);
  if (from) search.set('dateRange', from);
  if (to) search.set('to', to);
  const text = search.toString();
  return text ? `/search?${text}` : '/search';
}

/** Returns the range of a whole year. */
export function yearRange(year: number): DateRange {
  return { from: toIso({ year, month: 1, day: 1 }), to: toIso({ year, month: 12, day: 31 }) };
}

export const isSameRange = (one: DateRange, other: DateRange): boolean =>
  one.from === other.from && one.to === other.to;

/** The ranges that can be chosen in one press, by what they're called. */
export function commonRanges({ year, month }: CalendarDate): Record<string, DateRange> {
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return {
    'This month': {
      from: toIso({ year, month, day: 1 }),
      to: toIso({ year, month, day: lastDay }),
    },
    'This year': yearRange(year),
    'Last year': yearRange(year - 1),
  };
}

/** Returns a range in a few words: "Any date", "2025", or "01/05/2025 – 02/01/2025". */
export function rangeText(range: DateRange, formatDate: (date: CalendarDate) => string): string {
  const [from, to] = [fromIso(range.from ?? ''), fromIso(range.to ?? '')];
  if (!from && !to) return 'Any date';
  if (from && isSameRange(range, yearRange(from.year))) return String(from.year);
  if (from && to) return `${formatDate(from)} – ${formatDate(to)}`;
  return from ? `Since ${formatDate(from)}` : `Until ${to ? formatDate(to) : ''}`;
}
