import { type RefObject, useEffect, useState } from 'react';
import { toIso } from '@/lib/journal/entries/shared/calendar';
import type { TimelineRow } from '@/lib/journal/timeline/contract';

/** The days at the top and at the bottom of the screen, `YYYY-MM-DD`. */
export interface VisibleDays {
  newest: string;
  oldest: string;
}

/** Returns the days of the rows that are on the screen; before the page is hydrated, those of all rows. */
export function useVisibleDays(
  rows: readonly TimelineRow[],
  list: RefObject<HTMLElement | null>,
): VisibleDays | null {
  const [visible, setVisible] = useState<VisibleDays | null>(null);
  useEffect(() => {
    if (!list.current) return;
    const days = new Map(rows.map(({ entry }) => [entry.id, toIso(entry.date)]));
    const seen = new Set<string>();
    const watcher = new IntersectionObserver(
      (changes) => {
        for (const { isIntersecting, target } of changes) {
          const id = (target as HTMLElement).dataset.entry ?? '';
          if (isIntersecting) seen.add(id);
          else seen.delete(id);
        }
        const shown = [...seen].flatMap((id) => days.get(id) ?? []).sort();
        const [oldest, newest] = [shown[0], shown.at(-1)];
        if (oldest && newest)
          setVisible((before) =>
            before?.newest === newest && before.oldest === oldest ? before : { newest, oldest },
          );
      },
      // Below the navigation.
      { rootMargin: '-80px 0px 0px 0px', threshold: 0.2 },
    );
    for (const row of list.current.querySelectorAll('[data-entry]')) watcher.observe(row);
    return () => watcher.disconnect();
  }, [rows, list]);
  if (visible) return visible;
  const [first, last] = [rows[0], rows.at(-1)];
  return first && last ? { newest: toIso(first.entry.date), oldest: toIso(last.entry.date) } : null;
}
