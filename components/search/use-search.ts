'use client';

import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '@/components/ui/error-message';
import { toast } from '@/components/ui/toast';
import { api } from '@/lib/contract/client';
import type { SearchResult } from '@/lib/search/contract';
import { hasSearchCriteria, type SearchFilters, searchApiPath, searchHref } from './search-filters';

/** How long typing must rest before it is looked for, in milliseconds. */
const DEBOUNCE_MS = 150;

/** Looks for what the form asks for as it changes; an answer that is no longer asked for is cancelled. */
export function useSearch(initial: SearchResult[] | null) {
  const [results, setResults] = useState(initial);
  const [busy, setBusy] = useState(false);
  const running = useRef<AbortController>(undefined);
  const debounceTimer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(
    () => () => {
      clearTimeout(debounceTimer.current);
      running.current?.abort();
    },
    [],
  );

  async function runSearch(filters: SearchFilters) {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    window.history.replaceState(null, '', searchHref(filters));
    if (!hasSearchCriteria(filters)) {
      setResults(null);
      setBusy(false);
      return;
    }
    setBusy(true);
    try {
      setResults(await api<SearchResult[]>('GET', searchApiPath(filters), { signal: controller.signal }));
    } catch (error) {
      if (controller.signal.aborted) return;
      toast.error(errorMessage(error));
    }
    if (running.current === controller) setBusy(false);
  }

  return {
    results,
    busy,
    /** Looks at once, or after a rest in typing. */
    search(filters: SearchFilters, when: 'now' | 'soon') {
      clearTimeout(debounceTimer.current);
      if (when === 'now') void runSearch(filters);
      else debounceTimer.current = setTimeout(() => void runSearch(filters), DEBOUNCE_MS);
    },
  };
}
