import { useEffect, useState } from 'react';
import { showError } from '@/components/ui/show-error';
import { call } from '@/lib/api/shared/client';
import type { TimelineDay } from '@/lib/journal/timeline/contract';
import type { TimelineFilter } from './timeline-filter';

/** A year's days that have entries. */
export interface YearDays {
  year: number;
  days: TimelineDay[];
}

/** Returns a year's days; until they're loaded, those of the last one. */
export function useYearDays(year: number, initial: YearDays, filter: TimelineFilter): YearDays {
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
