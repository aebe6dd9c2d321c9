import { useMemo } from 'react';
import { parseStartTime } from '@/components/journal/player/parse-start-time';
import { savedEntriesOwner } from '@/components/journal/saved-entries/saved-entries-owner';
import { currentAccount } from '@/components/ui/browser-storage';
import { useHydrated } from '@/components/ui/use-hydrated';

/** What the page shows: what belongs to the address that was asked for. */
export type Place =
  | { name: 'studio' }
  | { name: 'entry'; id: string; startAt: number | null }
  | { name: 'journal' }
  | { name: 'settings' };

/** Returns what to show at an address. */
export function placeOf({ pathname, searchParams }: Pick<URL, 'pathname' | 'searchParams'>): Place {
  if (/^\/(upload\/?)?$/.test(pathname)) return { name: 'studio' };
  const [, id] = /^\/entry\/([^/]+)/.exec(pathname) ?? [];
  if (id) return { name: 'entry', id, startAt: parseStartTime(searchParams.get('t') ?? undefined) };
  return { name: /^\/settings/.test(pathname) ? 'settings' : 'journal' };
}

/** Who uses this browser, and what to show them; null in the HTML, which is the same for everybody. */
export interface Visit {
  /** The account that was last signed in, also if its session has expired since; null if it has logged out. */
  account: string | null;
  place: Place;
}

/** Returns the visit, which doesn't change while the page is open: each link loads it anew. */
export function useVisit(): Visit | null {
  const isHydrated = useHydrated();
  return useMemo(() => {
    if (!isHydrated) return null;
    const account = currentAccount() ?? savedEntriesOwner();
    return { account, place: placeOf(new URL(window.location.href)) };
  }, [isHydrated]);
}
