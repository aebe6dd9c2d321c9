'use client';

import { ArrowDown, ArrowUp } from 'lucide';
import Link from 'next/link';
import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import {
  apiFilter,
  type GalleryQuery,
  galleryHref,
  withoutPlace,
} from '@/components/journal/entries/gallery-href';
import { groupBy } from '@/components/journal/entries/group-by';
import { formatMonth } from '@/components/journal/entries/months';
import { Icon } from '@/components/ui/icon';
import { Spinner } from '@/components/ui/spinner';
import { toIso } from '@/lib/journal/entries/shared/calendar';
import type { Timeline as TimelinePart } from '@/lib/journal/timeline/contract';
import './timeline.css';
import { type Anchor, anchorOf, restoreAnchor } from './anchor';
import { type RowPlayback, TimelineRow } from './timeline-row';
import { describeGap, describeMonth } from './timeline-text';
import { type Direction, useTimeline } from './use-timeline';
import { useVisibleDays } from './use-visible-days';
import { useYearDays, type YearDays, YearRail } from './year-rail';

/** Holds which row plays, of which there's at most one. A row that starts stays where it is when another one closes. */
function usePlayingRow(list: RefObject<HTMLElement | null>) {
  const [playing, setPlaying] = useState<{ id: string; playback: RowPlayback } | null>(null);
  const anchor = useRef<Anchor | null>(null);

  // Another row that plays moves the rows.
  useLayoutEffect(() => {
    if (list.current && anchor.current) restoreAnchor(list.current, anchor.current);
    anchor.current = null;
  }, [playing, list]);

  const play = useCallback(
    (id: string, playback: RowPlayback) => {
      anchor.current = list.current && anchorOf(list.current, id);
      setPlaying({ id, playback });
    },
    [list],
  );
  const stop = useCallback((id: string) => setPlaying((before) => (before?.id === id ? null : before)), []);
  return { playing, play, stop };
}

const ENDS = {
  earlier: { label: 'Earlier entries', icon: ArrowDown },
  later: { label: 'Later entries', icon: ArrowUp },
};

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
  const filters = useMemo(() => apiFilter(query), [query]);
  const { part, loading, load, goTo, remember } = useTimeline(initial, filters, list);
  const { rows } = part;
  const visible = useVisibleDays(rows, list);
  const year = visible ? Number(visible.newest.slice(0, 4)) : initialYear.year;
  const shownYear = useYearDays(year, initialYear, filters);
  const { playing, play, stop } = usePlayingRow(list);

  async function move(day: string) {
    if (!(await goTo(day))) return;
    window.history.replaceState(null, '', galleryHref({ ...withoutPlace(query), at: day }));
    const top = box.current?.getBoundingClientRect().top ?? 0;
    if (top < 0) box.current?.scrollIntoView({ block: 'start', behavior: 'instant' });
  }

  const months = new Map(part.months.map((month) => [month.month, month]));
  // Without scripts, it's a link to the page that goes on from there.
  const moreLink = (direction: Direction, place: Pick<GalleryQuery, 'before' | 'after'>) => (
    <Link
      href={galleryHref({ ...withoutPlace(query), ...place })}
      prefetch={false}
      data-more={direction}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        void load(direction);
      }}
      className="timeline-more"
    >
      {loading === direction ? (
        <Spinner />
      ) : (
        <Icon of={ENDS[direction].icon} className="size-4.5" aria-hidden="true" />
      )}
      <span>{ENDS[direction].label}</span>
    </Link>
  );
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
        {part.hasLater && moreLink('later', { after: rows[0]?.cursor })}
        {[...groupBy(rows, ({ entry }) => toIso(entry.date).slice(0, 7))].map(([month, ofMonth]) => {
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
        {part.hasEarlier && moreLink('earlier', { before: rows.at(-1)?.cursor })}
      </div>
    </div>
  );
}
