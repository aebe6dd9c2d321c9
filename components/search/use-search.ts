'use client';

import { useEffect, useRef, useState } from 'react';
import { errorSentence } from '@/components/ui/error-sentence';
import { toast } from '@/components/ui/toast';
import { api } from '@/lib/contract/client';
import type { SearchResult } from '@/lib/search/contract';
import { asksForSomething, callPath, pageAddress, type SearchWish } from './wish';

/** How long typing must rest before it is looked for, in milliseconds. */
const REST = 150;

/** Looks for what the form asks for as it changes; an answer that is no longer asked for is cancelled. */
export function useSearch(initial: SearchResult[] | null) {
  const [results, setResults] = useState(initial);
  const [busy, setBusy] = useState(false);
  const running = useRef<AbortController>(undefined);
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(
    () => () => {
      clearTimeout(resting.current);
      running.current?.abort();
    },
    [],
  );

  async function look(wish: SearchWish) {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    window.history.replaceState(null, '', pageAddress(wish));
    if (!asksForSomething(wish)) {
      setResults(null);
      setBusy(false);
      return;
    }
    setBusy(true);
    try {
      setResults(await api<SearchResult[]>('GET', callPath(wish), { signal: controller.signal }));
    } catch (error) {
      if (controller.signal.aborted) return;
      toast.error(errorSentence(error));
    }
    if (running.current === controller) setBusy(false);
  }

  return {
    results,
    busy,
    /** Looks at once, or after a rest in typing. */
    search(wish: SearchWish, when: 'now' | 'soon') {
      clearTimeout(resting.current);
      if (when === 'now') void look(wish);
      else resting.current = setTimeout(() => void look(wish), REST);
    },
  };
}
