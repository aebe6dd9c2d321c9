import { accountValue, setAccountValue } from '@/components/ui/browser-storage';

const NAME = 'searches';
const MOST = 8;

/** What an account looked for in this browser, newest first. */
export function recentSearches(owner: string): string[] {
  try {
    const kept: unknown = JSON.parse(accountValue(owner, NAME) ?? '[]');
    return Array.isArray(kept) ? kept.filter((entry) => typeof entry === 'string').slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Keeps a search as the newest one. Returns them all. */
export function keepSearch(owner: string, query: string): string[] {
  const wanted = query.trim();
  if (!wanted) return recentSearches(owner);
  const all = [wanted, ...recentSearches(owner).filter((entry) => entry !== wanted)].slice(0, MOST);
  setAccountValue(owner, NAME, JSON.stringify(all));
  return all;
}

export const forgetSearches = (owner: string): void => setAccountValue(owner, NAME, null);
