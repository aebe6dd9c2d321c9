import { ChevronDown, ChevronUp, X } from 'lucide';
import { useEffect, useRef } from 'react';
import { Icon } from '@/components/ui/icon';

const ICON =
  'grid size-11 shrink-0 place-items-center rounded-pill text-ink-2 hover:bg-sunken hover:text-ink';

/** Searches the transcript: Enter goes to the next match, Shift+Enter to the previous one. */
export function FindBar({
  query,
  onQuery,
  count,
  current,
  onStep,
  onClose,
}: {
  query: string;
  onQuery: (query: string) => void;
  count: number;
  /** The index of the selected match. */
  current: number;
  onStep: (step: 1 | -1) => void;
  onClose: () => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const status = query.trim() === '' ? '' : count === 0 ? 'Not found' : `${current + 1} of ${count}`;
  return (
    <search className="transcript-stays flex shrink-0 items-center gap-0.5 border-b border-line py-1.5 sm:pr-1.5 sm:pl-3">
      <input
        ref={input}
        type="text"
        aria-label="Find in transcript"
        placeholder="Find in transcript"
        autoComplete="off"
        value={query}
        onChange={(event) => onQuery(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault();
            onStep(event.shiftKey ? -1 : 1);
          } else if (event.key === 'Escape') onClose();
        }}
        className="control min-w-0 grow"
      />
      <p role="status" className="shrink-0 px-2 text-14 text-ink-2 tabular-nums">
        {status}
      </p>
      <button type="button" aria-label="Previous match" onClick={() => onStep(-1)} className={ICON}>
        <Icon of={ChevronUp} className="size-5" aria-hidden="true" />
      </button>
      <button type="button" aria-label="Next match" onClick={() => onStep(1)} className={ICON}>
        <Icon of={ChevronDown} className="size-5" aria-hidden="true" />
      </button>
      <button type="button" aria-label="Close search" onClick={onClose} className={ICON}>
        <Icon of={X} className="size-5" aria-hidden="true" />
      </button>
    </search>
  );
}
