'use client';

import { useEffect, useRef, useState } from 'react';
import { showError } from '@/components/ui/show-error';
import { call } from '@/lib/contract/client';
import type { SearchResult } from '@/lib/search/contract';
import { search as searchRoute } from '@/lib/search/routes';
import { hasSearchCriteria, type SearchFilters, searchHref, toSearchQuery } from './search-filters';

/** How long typing must pause before a search starts, in milliseconds. */
const DEBOUNCE_MS = 150;

/**
 * Searches as the form changes, and cancels a search that's out of date.
 * @param initial the results that the server rendered, null if it didn't search
 */
export function useSearch(initial: SearchResult[] | null) {
  const [latest, setLatest] = useState<{ results: SearchResult[] | null }>();
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
      setLatest({ results: null });
      setBusy(false);
      return;
    }
    setBusy(true);
    try {
      const { signal } = controller;
      setLatest({ results: await call(searchRoute, { query: toSearchQuery(filters), signal }) });
    } catch (error) {
      if (controller.signal.aborted) return;
      showError(error);
    }
    if (running.current === controller) setBusy(false);
  }

  return {
    results: latest ? latest.results : initial,
    busy,
    /** Searches now, or soon: once typing pauses. */
    search(filters: SearchFilters, when: 'now' | 'soon') {
      clearTimeout(debounceTimer.current);
      if (when === 'now') void runSearch(filters);
      else debounceTimer.current = setTimeout(() => void runSearch(filters), DEBOUNCE_MS);
    },
  };
}
