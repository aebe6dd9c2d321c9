import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { apiFilter } from '@/components/journal/entries/gallery-href';
import { showError } from '@/components/ui/show-error';
import { call } from '@/lib/api/shared/client';
import type { Timeline } from '@/lib/journal/timeline/contract';
import { type Anchor, findAnchor, restoreAnchor } from './anchor';

/** The most rows that are in the page at a time. */
export const MAX_ROWS = 120;

/**
 * Adds rows to one end of what's shown, and takes as many from the other end as are too many.
 * @param direction the end to add to: `earlier` is the bottom
 */
export function joinParts(shown: Timeline, more: Timeline, direction: 'earlier' | 'later'): Timeline {
  const known = new Set(shown.rows.map(({ entry }) => entry.id));
  const added = more.rows.filter(({ entry }) => !known.has(entry.id));
  const isEarlier = direction === 'earlier';
  const all = isEarlier ? [...shown.rows, ...added] : [...added, ...shown.rows];
  const rows = isEarlier ? all.slice(-MAX_ROWS) : all.slice(0, MAX_ROWS);
  const isCut = rows.length < all.length;
  const months = new Map([...shown.months, ...more.months].map((month) => [month.month, month]));
  return {
    rows,
    months: [...months.values()],
    hasEarlier: isEarlier ? more.hasEarlier : shown.hasEarlier || isCut,
    hasLater: isEarlier ? shown.hasLater || isCut : more.hasLater,
  };
}

/** Replaces the rows that have newer versions. */
export function updateRows(shown: Timeline, newer: Timeline): Timeline {
  const rows = new Map(newer.rows.map((row) => [row.entry.id, row]));
  return { ...shown, rows: shown.rows.map((row) => rows.get(row.entry.id) ?? row) };
}

/** Where someone was in a timeline when they left it by a link. */
interface TimelineMemory {
  /** Also in the state of the page's history entry, so that only going back to that one finds it. */
  token: string;
  part: Timeline;
  anchor: Anchor | null;
}

let memory: TimelineMemory | null = null;

/** Keeps what's shown, for when the person comes back to this page. */
function rememberTimeline(shown: Omit<TimelineMemory, 'token'>): void {
  memory = { ...shown, token: String(Math.random()) };
  window.history.replaceState({ ...window.history.state, timeline: memory.token }, '');
}

/** Returns what was shown before, if the person has come back to it. */
function recallTimeline(): TimelineMemory | null {
  if (typeof window === 'undefined' || !memory) return null;
  return window.history.state?.timeline === memory.token ? memory : null;
}

export type Direction = 'earlier' | 'later';

/** How close to the screen an end gets before more is loaded. */
const MARGIN = '1000px 0px';
/** How long after it moves the page by itself a scroll isn't the person's, in milliseconds. */
const OWN_SCROLL = 500;

/**
 * Holds the part of the timeline that's shown, and loads more as either end gets close. What's on the screen stays where
 * it is.
 * `remember` keeps it for when they come back.
 * @param list the element with the rows, and a link with `data-more` at each end that has more
 */
export function useTimeline(
  initial: Timeline,
  filter: ReturnType<typeof apiFilter>,
  list: RefObject<HTMLElement | null>,
) {
  const [recalled] = useState(recallTimeline);
  const [part, setPart] = useState(recalled?.part ?? initial);
  const [seen, setSeen] = useState(initial);
  if (seen !== initial) {
    // The page was refreshed, since an entry was being processed.
    setSeen(initial);
    setPart(updateRows(part, initial));
  }
  const [loading, setLoading] = useState<Direction | 'day' | null>(null);
  /** Ends that couldn't be loaded, which wait to be asked for. */
  const [failed, setFailed] = useState<Direction | null>(null);
  const anchor = useRef(recalled?.anchor ?? null);
  const generation = useRef(0);
  const ownScrollUntil = useRef(0);

  // A new part moves the rows.
  useLayoutEffect(() => {
    const before = anchor.current;
    anchor.current = null;
    if (!list.current || !before || !restoreAnchor(list.current, before)) return;
    ownScrollUntil.current = performance.now() + OWN_SCROLL;
  }, [part, list]);

  const latest = useRef({ rows: part.rows, isLoading: false });
  useLayoutEffect(() => {
    latest.current = { rows: part.rows, isLoading: loading !== null };
  }, [part, loading]);

  const load = useCallback(
    async (direction: Direction) => {
      const { rows, isLoading } = latest.current;
      const end = direction === 'earlier' ? rows.at(-1) : rows[0];
      if (isLoading || !end) return;
      setLoading(direction);
      latest.current.isLoading = true;
      const asked = ++generation.current;
      try {
        const from = direction === 'earlier' ? { before: end.cursor } : { after: end.cursor };
        const more = await call('GET /timeline', { query: { ...filter, ...from } });
        if (asked !== generation.current) return;
        anchor.current = list.current && findAnchor(list.current);
        setPart((shown) => joinParts(shown, more, direction));
        setFailed(null);
      } catch (error) {
        if (asked !== generation.current) return;
        setFailed(direction);
        showError(error);
      }
      if (asked === generation.current) setLoading(null);
    },
    [filter, list],
  );

  /** Shows the entries of a day and before it. @param day `YYYY-MM-DD` @returns whether it does */
  const goTo = useCallback(
    async (day: string): Promise<boolean> => {
      const asked = ++generation.current;
      setLoading('day');
      try {
        const found = await call('GET /timeline', { query: { ...filter, at: day } });
        if (asked !== generation.current) return false;
        ownScrollUntil.current = performance.now() + OWN_SCROLL;
        setPart(found);
        setFailed(null);
      } catch (error) {
        if (asked === generation.current) showError(error);
      }
      if (asked !== generation.current) return false;
      setLoading(null);
      return true;
    },
    [filter],
  );

  const [goesUp, setGoesUp] = useState(false);
  useEffect(() => {
    let last = window.scrollY;
    function scroll() {
      // Above what a page opens with, more is loaded only once the person goes there: it would push the heading away.
      if (window.scrollY < last && performance.now() > ownScrollUntil.current) setGoesUp(true);
      last = window.scrollY;
    }
    window.addEventListener('scroll', scroll, { passive: true });
    return () => window.removeEventListener('scroll', scroll);
  }, []);

  // A new part moves the ends.
  useEffect(() => {
    if (!list.current || loading) return;
    const watcher = new IntersectionObserver(
      (changes) => {
        for (const { isIntersecting, target } of changes) {
          const direction = (target as HTMLElement).dataset.more as Direction;
          if (isIntersecting && direction !== failed && (goesUp || direction === 'earlier'))
            void load(direction);
        }
      },
      { rootMargin: MARGIN },
    );
    for (const end of list.current.querySelectorAll('[data-more]')) watcher.observe(end);
    return () => watcher.disconnect();
  }, [part, loading, failed, goesUp, list, load]);

  const remember = useCallback(() => {
    if (list.current) rememberTimeline({ part, anchor: findAnchor(list.current) });
  }, [part, list]);

  return { part, loading, load, goTo, remember };
}
