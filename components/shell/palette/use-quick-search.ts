import { useEffect, useState } from 'react';
import { call } from '@/lib/api/shared/client';
import { logRejected } from '@/lib/foundation/contract/shared/api-error';
import type { SearchResult } from '@/lib/journal/search/contract';

const DEBOUNCE_MS = 150;
const MOST = 6;

const NONE: SearchResult[] = [];

/** Returns the best results for what is typed, once typing pauses. Those of before stay until then. */
export function useQuickSearch(query: string): SearchResult[] {
  const [results, setResults] = useState(NONE);
  const wanted = query.trim();
  useEffect(() => {
    if (!wanted) return setResults(NONE);
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(async () => {
      const query = { query: wanted, limit: MOST, count: 'false' } as const;
      // The search page says what's wrong; here, the commands are enough.
      const found = await call('GET /search', { query, signal }).catch(logRejected);
      if (!signal.aborted) setResults(found ?? NONE);
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [wanted]);
  return wanted ? results : NONE;
}
