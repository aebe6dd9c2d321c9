import { useMemo } from 'react';
import type { Word } from '@/lib/journal/transcripts/contract';
import { paragraphs } from '@/lib/journal/transcripts/shared/paragraphs';

/** Shows the transcript as paragraphs of text, which screen readers read more easily than words to select. */
export function PlainText({ words }: { words: readonly Word[] }) {
  const parts = useMemo(() => paragraphs(words), [words]);
  return (
    <section
      aria-label="Plain text"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
      tabIndex={0}
      className="flex min-h-0 flex-col gap-4 overflow-y-auto rounded-b-18 py-5 font-serif text-[18px] sm:px-5 leading-[1.72] focus-visible:-outline-offset-3"
    >
      {parts.map((part) => (
        <p key={part.first} className="max-w-prose">
          {part.words.map(({ word }) => word).join(' ')}
        </p>
      ))}
    </section>
  );
}
