import { X } from 'lucide';
import { useRef } from 'react';
import { formatDuration } from '@/components/journal/entries/format-duration';
import { Icon } from '@/components/ui/icon';
import type { Marks } from './marks';

/** Lets somebody write a word beside each mark of a recording. They become notes of the entry. */
export function ReviewMarks({ marks: { marks, write, remove }, busy }: { marks: Marks; busy: boolean }) {
  const section = useRef<HTMLElement>(null);
  if (marks.length === 0) return null;
  return (
    <section ref={section} tabIndex={-1} aria-label="Marks" className="flex flex-col gap-1.5 outline-none">
      <p aria-hidden="true" className="text-14 font-semibold text-ink">
        Marks
      </p>
      <ul className="flex flex-col gap-2">
        {marks.map(({ id, seconds, text }) => {
          const time = formatDuration(seconds);
          return (
            <li key={id} className="flex items-center gap-2">
              <span className="min-w-11 text-15 text-ink-2 tabular-nums">{time}</span>
              <input
                dir="auto"
                className="control min-w-0 grow"
                aria-label={`Note at ${time}`}
                placeholder="Add a word"
                maxLength={1000}
                disabled={busy}
                value={text}
                onChange={({ target }) => write(id, target.value)}
              />
              <button
                type="button"
                aria-label={`Remove mark at ${time}`}
                disabled={busy}
                onClick={() => {
                  remove(id);
                  // The button goes: the keyboard's place is on what's left.
                  section.current?.focus();
                }}
                className="grid size-11 shrink-0 place-items-center rounded-pill text-ink-2 hover:bg-sunken hover:text-ink"
              >
                <Icon of={X} className="size-4" aria-hidden="true" />
              </button>
            </li>
          );
        })}
      </ul>
      <p className="text-14 text-ink-2">Each becomes a note on the entry.</p>
    </section>
  );
}
