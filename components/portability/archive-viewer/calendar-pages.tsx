import Link from 'next/link';
import { useMemo } from 'react';
import { MonthCalendar } from '@/components/journal/entries/month-calendar';
import { PageHeading } from '@/components/ui/page-heading';
import { type Journal, monthOf } from './journal';
import { journalPath } from './route';
import { useDayKeys } from './use-day-keys';
import { YearCalendar } from './year-calendar';

/** Shows a year at a glance: the one in the address, or the newest with entries. */
export function CalendarPage({ journal, year }: { journal: Journal; year: number | null }) {
  const shown = year ?? journal.years[0];
  return (
    <>
      <PageHeading>Calendar</PageHeading>
      {shown === undefined ? (
        <p className="text-16 text-ink-2">This archive has no entries.</p>
      ) : (
        <YearCalendar key={shown} journal={journal} year={shown} />
      )}
    </>
  );
}

/** Shows a month with a thumbnail on each day that has an entry. @param month `YYYY-MM` */
export function MonthPage({ journal, month }: { journal: Journal; month: string }) {
  // Oldest first, so that a day's first entry comes first.
  const entries = useMemo(
    () => journal.entries.filter((entry) => monthOf(entry) === month).reverse(),
    [journal, month],
  );
  const { calendar } = useDayKeys<HTMLDivElement>([...new Set(entries.map(({ day }) => day))]);
  return (
    <>
      <PageHeading>Calendar</PageHeading>
      <Link
        href={journalPath({ year: month.slice(0, 4) }, 'calendar')}
        className="inline-flex min-h-11 items-center self-start font-semibold text-accent-ink hover:underline"
      >
        All of {month.slice(0, 4)}
      </Link>
      <div {...calendar}>
        <MonthCalendar month={month} entries={entries} />
      </div>
    </>
  );
}
