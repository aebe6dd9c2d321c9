import { type KeyboardEvent, useRef, useState } from 'react';
import { capitalize, numberInWords } from '@/components/journal/entries/number-words';
import { Memory, type ShownMemory } from './memory';

/** Returns how the section is headed, such as 'Two years ago you said…'. */
function headingOf({ entry, words }: ShownMemory, thisYear: number): string {
  const years = thisYear - entry.date.year;
  const ago = `${capitalize(numberInWords(years, 12))} ${years === 1 ? 'year' : 'years'} ago`;
  return `${ago} you ${words.length > 0 ? 'said' : 'recorded'}…`;
}

/** Shows what was said on this day in earlier years, one year at a time. */
export function Memories({ memories, thisYear }: { memories: ShownMemory[]; thisYear: number }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const tabs = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState(0);
  // The chosen one may have been hidden.
  const shown = memories[chosen] ?? memories[0];
  if (!shown) return null;

  function move(event: KeyboardEvent) {
    const last = memories.length - 1;
    const here = Math.min(chosen, last);
    const to = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + memories.length) % memories.length;
    setChosen(next);
    tabs.current?.querySelectorAll('button')[next]?.focus();
  }

  return (
    <section
      aria-label="On This Day"
      className="flex flex-col gap-5 max-sm:-mx-4 max-sm:bg-sunken max-sm:px-4 max-sm:py-8"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 ref={heading} tabIndex={-1} className="heading text-[26px]">
          {headingOf(shown, thisYear)}
        </h2>
        <div ref={tabs} role="tablist" aria-label="Years" onKeyDown={move} className="flex flex-wrap">
          {memories.map(({ entry }, index) => (
            <button
              key={entry.id}
              type="button"
              role="tab"
              id={`memory-${entry.date.year}`}
              aria-selected={entry === shown.entry}
              aria-controls="memory"
              tabIndex={entry === shown.entry ? 0 : -1}
              onClick={() => setChosen(index)}
              className="min-h-11 rounded-pill px-3.5 text-15 font-medium text-ink-2 tabular-nums hover:bg-sunken hover:text-ink aria-selected:bg-accent-soft aria-selected:font-semibold aria-selected:text-accent-ink"
            >
              {entry.date.year}
            </button>
          ))}
        </div>
      </div>
      <div id="memory" role="tabpanel" aria-labelledby={`memory-${shown.entry.date.year}`}>
        <Memory key={shown.entry.id} memory={shown} onHidden={() => heading.current?.focus()} />
      </div>
    </section>
  );
}
