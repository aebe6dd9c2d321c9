'use client';

import { ArrowDown, ArrowUp } from 'lucide';
import Link from 'next/link';
import { useMemo, useRef } from 'react';
import { type GalleryQuery, galleryHref } from '@/components/journal/entries/gallery-href';
import { formatMonth } from '@/components/journal/entries/months';
import { Icon } from '@/components/ui/icon';
import { Spinner } from '@/components/ui/spinner';
import { toIso } from '@/lib/journal/entries/shared/calendar';
import type { Timeline as TimelinePart } from '@/lib/journal/timeline/contract';
import './timeline.css';
import { timelineFilter } from './timeline-filter';
import { groupByMonth } from './timeline-parts';
import { TimelineRow } from './timeline-row';
import { describeGap, describeMonth } from './timeline-text';
import { usePlayingRow } from './use-playing-row';
import { type Direction, useTimeline } from './use-timeline';
import { useVisibleDays } from './use-visible-days';
import { useYearDays, type YearDays } from './use-year-days';
import { YearRail } from './year-rail';

const ENDS = {
  earlier: { label: 'Earlier entries', icon: ArrowDown },
  later: { label: 'Later entries', icon: ArrowUp },
};

/** Loads more at one end. Without scripts, it's a link to the page that goes on from there. */
function MoreLink({
  direction,
  href,
  isLoading,
  onLoad,
}: {
  direction: Direction;
  href: string;
  isLoading: boolean;
  onLoad: (direction: Direction) => void;
}) {
  const { label, icon } = ENDS[direction];
  return (
    <Link
      href={href}
      prefetch={false}
      data-more={direction}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        onLoad(direction);
      }}
      className="timeline-more"
    >
      {isLoading ? <Spinner /> : <Icon of={icon} className="size-4.5" aria-hidden="true" />}
      {label}
    </Link>
  );
}

/**
 * The journal as one long list, newest first, that goes on in both directions, with a year of days beside it.
 * @param query the filters
 * @param filter names them, such as "Family and Garden"; null if there are none
 * @param years all years that have entries, newest first
 * @param today where the person is, `YYYY-MM-DD`
 */
export function Timeline({
  initial,
  initialYear,
  query,
  filter,
  years,
  today,
}: {
  initial: TimelinePart;
  initialYear: YearDays;
  query: GalleryQuery;
  filter: string | null;
  years: readonly number[];
  today: string;
}) {
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const filters = useMemo(() => timelineFilter(query), [query]);
  const { part, loading, load, goTo, remember } = useTimeline(initial, filters, list);
  const { rows } = part;
  const visible = useVisibleDays(rows, list);
  const year = visible ? Number(visible.newest.slice(0, 4)) : initialYear.year;
  const shownYear = useYearDays(year, initialYear, filters);
  const { playing, play, stop } = usePlayingRow(list);

  async function move(day: string) {
    if (!(await goTo(day))) return;
    window.history.replaceState(
      null,
      '',
      galleryHref({ ...query, before: undefined, after: undefined, at: day }),
    );
    const top = box.current?.getBoundingClientRect().top ?? 0;
    if (top < 0) box.current?.scrollIntoView({ block: 'start', behavior: 'instant' });
  }

  const months = new Map(part.months.map((month) => [month.month, month]));
  const hrefOf = (place: Pick<GalleryQuery, 'before' | 'after'>) =>
    galleryHref({ ...query, at: undefined, before: undefined, after: undefined, ...place });
  const newerThan = new Map(rows.map((row, index) => [row, rows[index - 1]]));
  return (
    <div ref={box} className="timeline">
      <YearRail
        {...shownYear}
        visible={visible}
        isLoading={loading === 'day'}
        onMove={(day) => void move(day)}
        query={query}
        years={years}
        today={today}
      />
      <div
        ref={list}
        className="timeline-list"
        onClickCapture={({ target }) => {
          if (target instanceof Element && target.closest('.timeline-row a')) remember();
        }}
      >
        {part.hasLater && (
          <MoreLink
            direction="later"
            href={hrefOf({ after: rows[0]?.cursor })}
            isLoading={loading === 'later'}
            onLoad={load}
          />
        )}
        {groupByMonth(rows).map(({ month, rows: ofMonth }) => {
          const sums = months.get(month);
          const isThisYear = month.slice(0, 4) === today.slice(0, 4);
          return (
            <section key={month} aria-labelledby={`month-${month}`}>
              <div className="timeline-month">
                <h2 id={`month-${month}`} className="heading">
                  {isThisYear ? formatMonth(month).slice(0, -5) : formatMonth(month)}
                </h2>
                {sums && <p className="text-15 text-ink-2">{describeMonth(sums, filter)}</p>}
              </div>
              <ol>
                {ofMonth.map((row) => {
                  const newer = newerThan.get(row);
                  const gap = newer ? describeGap(newer.entry.date, row.entry.date, filter) : null;
                  const isNewDay = !newer || toIso(newer.entry.date) !== toIso(row.entry.date);
                  return [
                    gap && (
                      <li key={`gap ${row.entry.id}`} className="timeline-gap">
                        {gap}
                      </li>
                    ),
                    <TimelineRow
                      key={row.entry.id}
                      row={row}
                      showsDay={isNewDay}
                      playback={playing?.id === row.entry.id ? playing.playback : null}
                      onPlay={play}
                      onStop={stop}
                    />,
                  ];
                })}
              </ol>
            </section>
          );
        })}
        {part.hasEarlier && (
          <MoreLink
            direction="earlier"
            href={hrefOf({ before: rows.at(-1)?.cursor })}
            isLoading={loading === 'earlier'}
            onLoad={load}
          />
        )}
      </div>
    </div>
  );
}
