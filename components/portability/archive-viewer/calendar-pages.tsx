import Link from 'next/link';
import { useMemo } from 'react';
import { WEEKDAYS } from '@/components/journal/entries/calendar-names';
import { countEntries } from '@/components/journal/entries/count-entries';
import { entryHref } from '@/components/journal/entries/entry-href';
import { galleryHref } from '@/components/journal/entries/gallery-href';
import { MonthCalendar } from '@/components/journal/entries/month-calendar';
import { formatMonth, getMonthWeeks } from '@/components/journal/entries/months';
import { PageHeading } from '@/components/ui/page-heading';
import { groupEntries, type Journal, monthOf, type ViewerEntry } from './journal';
import { journalPath } from './route';
import { useDayKeys } from './use-day-keys';
import { YearSelect } from './year-select';

const CELL = 'grid h-9 place-items-center rounded-8 text-13 tabular-nums';

const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' });

function DayLink({ day, entries, tabStop }: { day: string; entries: ViewerEntry[]; tabStop: boolean }) {
  const [first, ...more] = entries;
  if (!first) return null;
  const what = more.length > 0 ? countEntries(entries.length) : first.title;
  return (
    <Link
      href={more.length > 0 ? galleryHref({ view: 'calendar', month: day.slice(0, 7) }) : entryHref(first)}
      tabIndex={tabStop ? undefined : -1}
      aria-label={`${dayFormat.format(new Date(day))}: ${what}`}
      title={what}
      className={`${CELL} font-semibold ${more.length > 0 ? 'bg-accent text-on-accent hover:bg-accent-hover' : 'bg-accent-soft text-accent-ink hover:ring-2 hover:ring-accent'}`}
    >
      {Number(day.slice(8))}
    </Link>
  );
}

function MonthTable({
  month,
  byDay,
  tabStop,
}: {
  month: string;
  byDay: ReadonlyMap<string, ViewerEntry[]>;
  tabStop: string | undefined;
}) {
  const name = formatMonth(month).split(' ')[0];
  const hasEntries = [...byDay.keys()].some((day) => day.startsWith(month));
  return (
    <section aria-label={formatMonth(month)}>
      <h2 className="mb-1 flex min-h-11 items-center text-15 font-semibold">
        {hasEntries ? (
          <Link href={galleryHref({ view: 'calendar', month })} className="text-accent-ink hover:underline">
            {name}
          </Link>
        ) : (
          <span className="text-ink-3">{name}</span>
        )}
      </h2>
      <table className="w-full table-fixed border-separate border-spacing-0.5">
        <thead className="sr-only">
          <tr>
            {WEEKDAYS.map((weekday) => (
              <th key={weekday} scope="col">
                {weekday}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {getMonthWeeks(month).map((week) => (
            <tr key={week.find(Boolean)}>
              {week.map((date, weekday) => {
                const day = `${month}-${String(date).padStart(2, '0')}`;
                const entries = date === null ? undefined : byDay.get(day);
                return (
                  <td key={WEEKDAYS[weekday]} data-day={entries && day} className="p-0">
                    {entries ? (
                      <DayLink day={day} entries={entries} tabStop={day === tabStop} />
                    ) : (
                      <span className={`${CELL} text-ink-3`}>{date}</span>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Shows the days of a year, and which ones have entries. The arrow keys move between these. */
function YearCalendar({ journal, year }: { journal: Journal; year: number }) {
  const entries = journal.entries.filter(({ date }) => date.year === year);
  const byDay = groupEntries(entries, ({ day }) => day);
  const { calendar, tabStop } = useDayKeys([...byDay.keys()].sort());
  const months = Array.from({ length: 12 }, (_, index) => `${year}-${String(index + 1).padStart(2, '0')}`);
  return (
    <section aria-label={`${year}`} className="flex flex-col gap-6">
      <YearSelect years={journal.years} year={year} path={(to) => journalPath({ year: to }, 'calendar')} />
      <p role="status" className="text-16 text-ink-2">
        {countEntries(entries.length)} in {year}.{' '}
        <span className="[@media(hover:none)]:hidden">
          Use the arrow keys to move between days with entries.
        </span>
      </p>
      <div {...calendar} className="grid gap-x-8 gap-y-6 sm:grid-cols-2 lg:grid-cols-3">
        {months.map((month) => (
          <MonthTable key={month} month={month} byDay={byDay} tabStop={tabStop} />
        ))}
      </div>
    </section>
  );
}

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
  const { calendar } = useDayKeys([...new Set(entries.map(({ day }) => day))]);
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
