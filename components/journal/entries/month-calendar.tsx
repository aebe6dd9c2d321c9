'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import type { EntrySummary } from '@/lib/journal/entries/contract';
import { toIso } from '@/lib/journal/entries/shared/calendar';
import { WEEKDAYS } from './calendar-names';
import { entryHref } from './entry-href';
import { galleryHref } from './gallery-href';
import { groupBy } from './group-by';
import { addMonths, formatMonth, getMonthWeeks } from './months';

const STEP = 'inline-flex min-h-11 items-center rounded-pill px-4 text-15 font-semibold hover:bg-sunken';

function Day({ day, isToday, entries }: { day: number; isToday: boolean; entries: EntrySummary[] }) {
  const [first, ...more] = entries;
  return (
    <div className="flex min-h-14 flex-col gap-1 sm:min-h-24">
      <span
        aria-current={isToday ? 'date' : undefined}
        className="grid size-6 place-items-center self-start rounded-pill text-13 text-ink-3 tabular-nums aria-[current]:font-semibold aria-[current]:text-ink aria-[current]:ring-2 aria-[current]:ring-now"
      >
        <span>{day}</span>
        {isToday && <span className="sr-only">, today</span>}
      </span>
      {first && (
        <Link
          href={entryHref(first)}
          aria-label={first.title}
          className="relative block min-h-11 overflow-hidden rounded-8 bg-accent-soft ring-1 ring-line sm:aspect-video"
        >
          {first.thumbnail ? (
            <img
              src={first.thumbnail}
              alt=""
              loading="lazy"
              decoding="async"
              className="absolute inset-0 size-full object-cover"
            />
          ) : (
            <span dir="auto" className="absolute inset-1 truncate text-13 text-accent-ink max-sm:hidden">
              {first.title}
            </span>
          )}
        </Link>
      )}
      {more.map((entry) => (
        <Link
          key={entry.id}
          href={entryHref(entry)}
          dir="auto"
          className="block min-h-6 truncate text-13 text-accent-ink hover:underline"
        >
          {entry.title}
        </Link>
      ))}
    </div>
  );
}

/**
 * Shows a month with a thumbnail on each day that has an entry.
 * @param today where the person is, `YYYY-MM-DD`, to mark it
 * @param firstWeekday the day that weeks begin with, from 0 for Sunday to 6 for Saturday
 * @param children further ways to other months
 */
export function MonthCalendar({
  month,
  entries,
  today,
  firstWeekday = 0,
  children,
}: {
  month: string;
  entries: EntrySummary[];
  today?: string;
  firstWeekday?: number;
  children?: ReactNode;
}) {
  const weekdays = [...WEEKDAYS.slice(firstWeekday), ...WEEKDAYS.slice(0, firstWeekday)];
  const byDay = groupBy(entries, ({ date }) => toIso(date));
  return (
    <section aria-label={formatMonth(month)} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="heading text-[24px]">{formatMonth(month)}</h2>
        <nav aria-label="Months" className="flex flex-wrap items-center gap-1">
          {children}
          <Link href={galleryHref({ view: 'calendar', month: addMonths(month, -1) })} className={STEP}>
            Earlier
          </Link>
          <Link href={galleryHref({ view: 'calendar', month: addMonths(month, 1) })} className={STEP}>
            Later
          </Link>
        </nav>
      </div>
      <table className="w-full table-fixed border-collapse">
        <thead>
          <tr>
            {weekdays.map((name) => (
              <th key={name} scope="col" className="pb-2 text-left text-13 font-medium text-ink-3">
                <abbr title={name} className="no-underline">
                  {name.slice(0, 3)}
                </abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {getMonthWeeks(month, firstWeekday).map((week) => (
            <tr key={week.find(Boolean)}>
              {week.map((day, weekday) => {
                const iso = `${month}-${String(day).padStart(2, '0')}`;
                return (
                  <td
                    key={weekdays[weekday]}
                    data-day={day === null ? undefined : iso}
                    className="border border-line p-1 align-top sm:p-1.5"
                  >
                    {day !== null && <Day day={day} isToday={iso === today} entries={byDay.get(iso) ?? []} />}
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
