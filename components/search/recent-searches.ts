const KEY = 'daylight.searches';
const MOST = 8;

/** What was looked for in this browser, newest first. Empty where the browser keeps nothing for this site. */
export function recentSearches(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((entry) => typeof entry === 'string').slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Keeps a search as the newest one, and gives them all. */
export function keepSearch(query: string): string[] {
  const wanted = query.trim();
  if (!wanted) return recentSearches();
  const all = [wanted, ...recentSearches().filter((entry) => entry !== wanted)].slice(0, MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // A full or forbidden storage only costs the list.
  }
  return all;
}

export function forgetSearches(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Nothing was kept then.
  }
}
