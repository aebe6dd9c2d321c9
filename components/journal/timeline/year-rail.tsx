import Link from 'next/link';
import { type CSSProperties, useEffect, useState } from 'react';
import { type apiFilter, type GalleryQuery, galleryHref } from '@/components/journal/entries/gallery-href';
import { formatMonth } from '@/components/journal/entries/months';
import {
  circlePath,
  type DayDot,
  DOT_GRID,
  daysOfWeek,
  listDays,
  weekOf,
  yearDots,
} from '@/components/journal/entries/year-dots';
import { formatDays } from './timeline-text';
import { useLens } from './use-lens';
import type { VisibleDays } from './use-visible-days';
import './year-rail.css';
import { showError } from '@/components/ui/show-error';
import { call } from '@/lib/api/shared/client';
import type { TimelineDay } from '@/lib/journal/timeline/contract';

/** A year's days that have entries. */
export interface YearDays {
  year: number;
  days: TimelineDay[];
}

/** Returns a year's days; until they're loaded, those of the last one. */
export function useYearDays(year: number, initial: YearDays, filter: ReturnType<typeof apiFilter>): YearDays {
  const [years, setYears] = useState(() => new Map([[initial.year, initial]]));
  const [shown, setShown] = useState(initial);
  const known = years.get(year);
  useEffect(() => {
    if (known) return setShown(known);
    const stop = new AbortController();
    call('GET /timeline/days', { query: { year, ...filter }, signal: stop.signal })
      .then((days) => {
        const loaded = { year, days };
        setYears((before) => new Map(before).set(year, loaded));
      })
      .catch((error: unknown) => {
        if (!stop.signal.aborted) showError(error);
      });
    return () => stop.abort();
  }, [known, year, filter]);
  return known ?? shown;
}

const middle = (index: number) => (index + 0.5) * DOT_GRID;

/**
 * Draws a year's dots upright: a column for each weekday, the newest week on top. Days that don't match are outlines.
 * One path for all dots of a kind, since an element for each would be most of the page.
 */
function YearDrawing({
  dots,
  weeks,
  isMatch,
  today,
}: {
  dots: readonly DayDot[];
  weeks: number;
  isMatch: (day: string) => boolean;
  /** `YYYY-MM-DD` */
  today: string;
}) {
  const at = ({ week, weekday }: DayDot): [number, number] => [middle(weekday), middle(weeks - 1 - week)];
  const circles = (kind: readonly DayDot[]) => kind.map((dot) => circlePath(...at(dot), dot.radius)).join('');
  const quiet = dots.filter(({ level }) => level === 0);
  const others = dots.filter(({ level, day }) => level > 0 && !isMatch(day));
  const current = dots.find(({ day }) => day === today);
  return (
    <svg viewBox={`0 0 ${7 * DOT_GRID} ${weeks * DOT_GRID}`} aria-hidden="true" className="year-drawing">
      <path className="quiet" d={quiet.map((dot) => `M${at(dot).join(' ')}h0`).join('')} />
      <path className="other" d={circles(others)} />
      {[1, 2, 3, 4].map((heat) => (
        <path
          key={heat}
          style={{ fill: `var(--heat-${heat})` }}
          d={circles(dots.filter(({ level, day }) => level === heat && isMatch(day)))}
        />
      ))}
      {current && <path className="today" d={circlePath(...at(current), 8)} />}
    </svg>
  );
}

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
  query: { tag, notes },
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
                    href={galleryHref({ tag, notes, view: 'timeline', at: `${one}-12-31` })}
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
