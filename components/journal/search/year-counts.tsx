import Link from 'next/link';
import { entryHref } from '@/components/journal/entries/entry-href';
import type { CalendarDate } from '@/lib/journal/entries/shared/calendar';
import type { SearchSummary } from '@/lib/journal/search/contract';
import type { SearchFilters } from '@/lib/journal/search/service';
import { ANY_DATE, type DateRange, isSameRange, searchHref, yearRange } from './search-filters';

const dateFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** Formats a date as November 20, 2026. */
const formatDate = ({ year, month, day }: CalendarDate) =>
  dateFormat.format(new Date(Date.UTC(year, month - 1, day)));

/** How many entries match in each year, as bars that narrow the search down to their year, or widen it again. */
export function YearCounts({
  filters,
  summary: { years, first_said },
  onChoose,
}: {
  filters: SearchFilters;
  summary: SearchSummary;
  onChoose: (range: DateRange) => void;
}) {
  if (years.length === 0) return null;
  const most = Math.max(...years.map(({ entries }) => entries));
  return (
    <aside aria-labelledby="said-by-year" className="flex flex-col gap-3">
      <h2 id="said-by-year" className="text-14 font-semibold">
        {filters.query.trim() ? 'When you said it' : 'By year'}
      </h2>
      <ul className="flex flex-col">
        {years.map(({ year, entries }) => {
          const isChosen = isSameRange(filters, yearRange(year));
          const range = isChosen ? ANY_DATE : yearRange(year);
          return (
            <li key={year}>
              <a
                href={searchHref({ ...filters, ...range })}
                aria-current={isChosen ? 'true' : undefined}
                onClick={(event) => {
                  event.preventDefault();
                  onChoose(range);
                }}
                className="-mx-2 grid min-h-11 grid-cols-[2.75rem_1fr_auto] items-center gap-2 rounded-8 px-2 text-14 text-ink-2 tabular-nums hover:bg-sunken hover:text-ink aria-[current]:bg-accent-soft aria-[current]:font-semibold aria-[current]:text-accent-ink"
              >
                {year}
                <span
                  className="h-2 min-w-2 rounded-pill bg-accent"
                  style={{ width: `${(entries / most) * 100}%` }}
                />
                <span className="min-w-8 text-right">
                  {entries.toLocaleString('en-US')}
                  <span className="sr-only"> {entries === 1 ? 'entry' : 'entries'}</span>
                </span>
              </a>
            </li>
          );
        })}
      </ul>
      {first_said && (
        <p className="border-t border-line pt-4 text-14 text-ink-2">
          First said on{' '}
          <Link href={entryHref(first_said)} className="text-ink underline underline-offset-4">
            {formatDate(first_said.date)}
          </Link>
          , in “<bdi>{first_said.title}</bdi>”
        </p>
      )}
    </aside>
  );
}
