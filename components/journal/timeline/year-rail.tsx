import Link from 'next/link';
import type { CSSProperties } from 'react';
import { type GalleryQuery, galleryHref } from '@/components/journal/entries/gallery-href';
import { formatMonth } from '@/components/journal/entries/months';
import { daysOfWeek, listDays, weekOf, yearDots } from '@/components/journal/entries/year-dots';
import { formatDays } from './timeline-text';
import { useLens } from './use-lens';
import type { VisibleDays } from './use-visible-days';
import type { YearDays } from './use-year-days';
import { YearDrawing } from './year-drawing';
import './year-rail.css';

const clamp = (day: string, from: string, to: string) => (day < from ? from : day > to ? to : day);

/** Returns the first days of a year's months, up to a day. */
const monthStarts = (year: number, to: string) =>
  Array.from({ length: 12 }, (_, month) => `${year}-${String(month + 1).padStart(2, '0')}-01`).filter(
    (day) => day <= to,
  );

/**
 * A year of days next to the timeline, with a lens over the weeks that are on the screen. Moving the lens moves the
 * timeline. Other years are links.
 * @param visible the days on the screen; null if there are none
 * @param onMove called with the newest day to show
 */
export function YearRail({
  year,
  days,
  visible,
  isLoading,
  onMove,
  query,
  years,
  today,
}: YearDays & {
  visible: VisibleDays | null;
  isLoading: boolean;
  onMove: (day: string) => void;
  query: GalleryQuery;
  years: readonly number[];
  /** `YYYY-MM-DD` */
  today: string;
}) {
  const from = `${year}-01-01`;
  const last = days.at(-1)?.day ?? from;
  const isThisYear = today.startsWith(String(year));
  const to = isThisYear ? clamp(last, today, `${year}-12-31`) : `${year}-12-31`;
  const weeks = weekOf(to, from) + 1;
  const matching = new Set(days.filter(({ matches }) => matches).map(({ day }) => day));
  const busy = [...new Set([...matching].sort().map((day) => weekOf(day, from)))];
  const newest = weekOf(clamp(visible?.newest ?? to, from, to), from);
  const oldest = weekOf(clamp(visible?.oldest ?? to, from, to), from);
  const { week, isMoved, slider, track } = useLens(newest, weeks, busy, (moved) =>
    onMove(clamp(daysOfWeek(moved, from).to, from, to)),
  );
  // The lens keeps its size while it's moved.
  const first = Math.max(0, Math.min(oldest, newest) - newest + week);
  const style: Record<string, number> = { '--weeks': weeks };
  const lens: Record<string, number> = { '--row': weeks - 1 - week, '--count': week - first + 1 };

  return (
    <aside
      aria-label="Year"
      className="year-rail"
      style={style as CSSProperties}
      aria-busy={isLoading || undefined}
    >
      <h2 className="year-name">{year}</h2>
      <div className="year-scroll">
        <div className="year-weeks">
          {monthStarts(year, to).map((day) => (
            <span
              key={day}
              aria-hidden="true"
              className="year-month"
              style={{ '--row': weeks - 1 - weekOf(day, from) } as CSSProperties}
            >
              {formatMonth(day.slice(0, 7)).slice(0, 3)}
            </span>
          ))}
          <div className="year-track" {...track}>
            <YearDrawing
              dots={yearDots(listDays(days, from, to), from)}
              weeks={weeks}
              isMatch={(day) => matching.has(day)}
              today={today}
            />
            <div
              role="slider"
              tabIndex={0}
              aria-label="Weeks in view"
              aria-orientation="vertical"
              aria-valuemin={0}
              aria-valuemax={weeks - 1}
              aria-valuenow={week}
              aria-valuetext={formatDays(
                clamp(daysOfWeek(first, from).from, from, to),
                clamp(daysOfWeek(week, from).to, from, to),
              )}
              data-moved={isMoved || undefined}
              className="year-lens"
              style={lens as CSSProperties}
              {...slider}
            />
          </div>
        </div>
      </div>
      {years.length > 1 && (
        <nav aria-label="Years" className="year-others">
          <ul>
            {years
              .filter((one) => one !== year)
              .map((one) => (
                <li key={one}>
                  <Link
                    href={galleryHref({
                      tag: query.tag,
                      notes: query.notes,
                      view: 'timeline',
                      at: `${one}-12-31`,
                    })}
                    prefetch={false}
                  >
                    {one}
                  </Link>
                </li>
              ))}
          </ul>
        </nav>
      )}
    </aside>
  );
}
