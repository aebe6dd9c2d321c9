import { useSyncExternalStore } from 'react';
import { parseStartTime } from '@/components/journal/player/parse-start-time';

/** A page of the viewer. The address is a path after `#`, with the same form as on the site. */
export type Route =
  | { page: 'journal'; tag: string | null; year: number | null }
  | { page: 'calendar'; year: number | null }
  | { page: 'month'; month: string }
  | { page: 'search'; query: string }
  | { page: 'entry'; id: string; at: number | null }
  | { page: 'unknown' };

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** Parses the address, for instance `#/entry/0195f2a0/A%20walk?t=12.3`. */
export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split(/\?(.*)/s);
  const [page = '', id = ''] = path.split('/').map(decode);
  const query = new URLSearchParams(search);
  const matching = (name: string, pattern: RegExp) => pattern.exec(query.get(name) ?? '')?.[0] ?? null;
  const year = Number(matching('year', /^\d{4}$/)) || null;
  if (page === 'entry' && id) return { page, id, at: parseStartTime(query.get('t') ?? undefined) };
  if (page === 'search') return { page, query: query.get('query') ?? '' };
  if (page !== '' && page !== 'journals') return { page: 'unknown' };
  if (query.get('view') !== 'calendar') return { page: 'journal', tag: query.get('tag'), year };
  const month = matching('month', /^\d{4}-(0[1-9]|1[0-2])$/);
  return month ? { page: 'month', month } : { page: 'calendar', year };
}

/** Returns the path of a list of entries, or of a year's calendar. Empty values leave the list as it is. */
export function journalPath(
  { tag, year }: { tag?: string | null; year?: number | string | null },
  view?: 'calendar',
): string {
  const query = new URLSearchParams();
  if (view) query.set('view', view);
  if (tag) query.set('tag', tag);
  if (year) query.set('year', String(year));
  return query.size > 0 ? `/journals?${query}` : '/journals';
}

export const searchPath = (query: string): string => `/search?${new URLSearchParams({ query })}`;

/** Opens a page of the viewer. */
export function goTo(path: string): void {
  window.location.hash = path;
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange);
  return () => window.removeEventListener('hashchange', onChange);
}

/** Returns the address after `#`, and renders again when it changes. */
export const useHash = (): string => useSyncExternalStore(subscribe, () => window.location.hash);
