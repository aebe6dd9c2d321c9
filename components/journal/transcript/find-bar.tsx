import { ChevronDown, ChevronUp, Search, X } from 'lucide';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Icon } from '@/components/ui/icon';
import { keyOf } from '@/components/ui/key-of';
import type { Word } from '@/lib/journal/transcripts/contract';
import { findWords, type Match } from './find-words';

const NONE: readonly Match[] = [];

/** Searches the transcript: returns the query, its matches, and the selected one. */
export function useFind(words: readonly Word[]) {
  const [query, setQuery] = useState<string | null>(null);
  const [index, setIndex] = useState(0);
  const matches = useMemo(() => (query ? findWords(words, query) : NONE), [words, query]);
  const current = Math.min(index, Math.max(matches.length - 1, 0));
  return {
    /** Null while search is closed. */
    query,
    matches,
    current,
    shown: matches[current],
    open: () => setQuery((before) => before ?? ''),
    close: () => setQuery(null),
    search(text: string) {
      setQuery(text);
      setIndex(0);
    },
    step(step: 1 | -1) {
      const { length } = matches;
      if (length > 0) setIndex((current + step + length) % length);
    },
  };
}

const ICON = 'grid size-11 place-items-center rounded-pill text-ink-2 hover:bg-sunken hover:text-ink';

export type Find = ReturnType<typeof useFind>;

/** Opens the search. */
export function FindButton({ find }: { find: Find }) {
  return (
    <button
      type="button"
      aria-label="Find in transcript"
      aria-expanded={find.query !== null}
      onClick={find.open}
      className={ICON}
    >
      <Icon of={Search} className="size-5" aria-hidden="true" />
    </button>
  );
}

/** Searches the transcript: Enter goes to the next match, Shift+Enter to the previous one. */
export function FindBar({ find: { query, matches, current, search, step, close } }: { find: Find }) {
  const count = matches.length;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const status = !query?.trim() ? '' : count === 0 ? 'Not found' : `${current + 1} of ${count}`;
  return (
    <search className="transcript-stays flex shrink-0 items-center gap-0.5 border-b border-line py-1.5 sm:pr-1.5 sm:pl-3">
      <input
        ref={input}
        type="text"
        dir="auto"
        aria-label="Find in transcript"
        placeholder="Find in transcript"
        autoComplete="off"
        value={query ?? ''}
        onChange={(event) => search(event.target.value)}
        onKeyDown={(event) => {
          const key = keyOf(event);
          if (key === 'Escape') close();
          if (key !== 'Enter') return;
          event.preventDefault();
          step(event.shiftKey ? -1 : 1);
        }}
        className="control min-w-0 grow"
      />
      <p role="status" className="shrink-0 px-2 text-14 text-ink-2 tabular-nums">
        {status}
      </p>
      <button
        type="button"
        aria-label="Previous match"
        onClick={() => step(-1)}
        className={`${ICON} shrink-0`}
      >
        <Icon of={ChevronUp} className="size-5" aria-hidden="true" />
      </button>
      <button type="button" aria-label="Next match" onClick={() => step(1)} className={`${ICON} shrink-0`}>
        <Icon of={ChevronDown} className="size-5" aria-hidden="true" />
      </button>
      <button type="button" aria-label="Close search" onClick={close} className={`${ICON} shrink-0`}>
        <Icon of={X} className="size-5" aria-hidden="true" />
      </button>
    </search>
  );
}
