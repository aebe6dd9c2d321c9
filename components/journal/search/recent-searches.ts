import { getAccountValue, setAccountValue } from '@/components/ui/browser-storage';

const STORAGE_KEY = 'searches';
const MAX_RECENT = 8;

/** Returns an account's recent searches in this browser, newest first. */
export function getRecentSearches(owner: string): string[] {
  try {
    const stored: unknown = JSON.parse(getAccountValue(owner, STORAGE_KEY) ?? '[]');
    return Array.isArray(stored)
      ? stored.filter((entry) => typeof entry === 'string').slice(0, MAX_RECENT)
      : [];
  } catch {
    return [];
  }
}

/** Saves a search as the most recent one. Returns all recent searches. */
export function saveRecentSearch(owner: string, query: string): string[] {
  const wanted = query.trim();
  if (!wanted) return getRecentSearches(owner);
  const all = [wanted, ...getRecentSearches(owner).filter((entry) => entry !== wanted)].slice(0, MAX_RECENT);
  setAccountValue(owner, STORAGE_KEY, JSON.stringify(all));
  return all;
}

export const clearRecentSearches = (owner: string): void => setAccountValue(owner, STORAGE_KEY, null);
