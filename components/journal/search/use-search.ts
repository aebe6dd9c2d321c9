'use client';

import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '@/components/ui/error-message';
import { showError } from '@/components/ui/show-error';
import { call } from '@/lib/api/shared/client';
import { logRejected } from '@/lib/foundation/contract/shared/api-error';
import type { SearchResult, SearchSummary } from '@/lib/journal/search/contract';
import type { SearchFilters } from '@/lib/journal/search/service';
import { hasSearchCriteria, searchHref } from './search-filters';

/** How long typing must pause before a search starts, and before its results are counted, in milliseconds. */
const DEBOUNCE_MS = 150;
const SUMMARY_DEBOUNCE_MS = 100;

/** What a search has found so far. */
export interface Found {
  results: SearchResult[];
  /** The cursor of the next page, null at the end. */
  next: string | null;
  /** Null until it's known. */
  summary: SearchSummary | null;
}

async function fetchPage(
  filters: SearchFilters,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Pick<Found, 'results' | 'next'>> {
  let next: string | null = null;
  const results = await call('GET /search', {
    query: { ...filters, cursor, count: 'false' },
    signal,
    onHeaders: (headers) => {
      // RFC 8288.
      const address = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
      next = address ? new URL(address, location.href).searchParams.get('cursor') : null;
    },
  });
  return { results, next };
}

/**
 * Searches as the form changes, and cancels a search that's out of date.
 * @param start the filters and results that the server rendered; no results if it didn't search
 */
export function useSearch(start: { filters: SearchFilters; found: Found | null }) {
  const [{ filters, found }, setCurrent] = useState(start);
  const [counted, setCounted] = useState(start.found?.summary ?? null);
  const [busy, setBusy] = useState(false);
  const [more, setMore] = useState<{ busy: boolean; problem: string | null }>({ busy: false, problem: null });
  const running = useRef<AbortController>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(
    () => () => {
      clearTimeout(timer.current);
      running.current?.abort();
    },
    [],
  );

  const extendFound = (more: (found: Found) => Partial<Found>) =>
    setCurrent((current) => ({
      ...current,
      found: current.found && { ...current.found, ...more(current.found) },
    }));

  /** Counts separately, because that takes longer in long journals than the results do. */
  async function summarize(wanted: SearchFilters, { signal }: AbortController) {
    try {
      const summary = await call('GET /search/summary', { query: wanted, signal });
      extendFound(() => ({ summary }));
      setCounted(summary);
    } catch (error) {
      // The results are there, and the next search counts again.
      logRejected(error);
    }
    if (!signal.aborted) setBusy(false);
  }

  async function runSearch(wanted: SearchFilters, when: 'now' | 'soon') {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    window.history.replaceState(null, '', searchHref(wanted));
    setMore({ busy: false, problem: null });
    if (!hasSearchCriteria(wanted)) {
      setCurrent({ filters: wanted, found: null });
      setBusy(false);
      return;
    }
    setBusy(true);
    try {
      const page = await fetchPage(wanted, undefined, controller.signal);
      setCurrent({ filters: wanted, found: { ...page, summary: null } });
      const pause = when === 'now' || page.results.length === 0 ? 0 : SUMMARY_DEBOUNCE_MS;
      timer.current = setTimeout(() => void summarize(wanted, controller), pause);
    } catch (error) {
      if (controller.signal.aborted) return;
      showError(error);
      setBusy(false);
    }
  }

  return {
    filters,
    found,
    /** The latest summary, which may be of the search before until this one is counted. */
    counted,
    busy,
    more,
    /** Searches now, or soon: once typing pauses. */
    search(wanted: SearchFilters, when: 'now' | 'soon') {
      clearTimeout(timer.current);
      if (when === 'now') void runSearch(wanted, when);
      else timer.current = setTimeout(() => void runSearch(wanted, when), DEBOUNCE_MS);
    },
    /** Adds the next page. If that fails, what's there stays. */
    async showMore() {
      if (!found?.next || more.busy) return;
      running.current ??= new AbortController();
      const { signal } = running.current;
      setMore({ busy: true, problem: null });
      try {
        const page = await fetchPage(filters, found.next, signal);
        if (signal.aborted) return;
        extendFound(({ results }) => ({ ...page, results: [...results, ...page.results] }));
        setMore({ busy: false, problem: null });
      } catch (error) {
        if (!signal.aborted) setMore({ busy: false, problem: errorMessage(error) });
      }
    },
  };
}
