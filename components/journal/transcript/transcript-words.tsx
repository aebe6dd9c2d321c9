import { Fragment, memo, useMemo } from 'react';
import { formatDuration } from '@/components/journal/entries/format-duration';
import { groupBy } from '@/components/journal/entries/group-by';
import { type MomentNote, noteElementId } from '@/components/journal/player/moment-notes';
import type { Word } from '@/lib/journal/transcripts/contract';
import { type Paragraph, paragraphs as splitWords } from '@/lib/journal/transcripts/shared/paragraphs';
import type { Match } from './find-words';

/** About half of the words below this confidence are wrong. */
const UNSURE_BELOW = 0.3;

/** Renders a paragraph's words as spans. Renders once, since highlights are set outside React. */
const TranscriptParagraph = memo(function TranscriptParagraph({
  paragraph: { first, start, words },
  language,
}: {
  paragraph: Paragraph;
  language: string | null;
}) {
  return (
    <div className="transcript-paragraph">
      <button
        type="button"
        tabIndex={-1}
        data-first={first}
        aria-label={`Play from ${formatDuration(start)}`}
      >
        {formatDuration(start)}
      </button>
      <p dir="auto" lang={language ?? undefined}>
        {words.map(({ word, confidence = 1 }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: words never move
          <Fragment key={index}>
            {confidence < UNSURE_BELOW ? (
              <span className="unsure" title="May be misheard">
                {word}
              </span>
            ) : (
              <span>{word}</span>
            )}{' '}
          </Fragment>
        ))}
      </p>
    </div>
  );
});

/** Renders the words in paragraphs, with the notes about their moments in between, which lead to the list of notes. */
export function TranscriptWords({
  paragraphs,
  language,
  notes,
}: {
  paragraphs: readonly Paragraph[];
  /** A BCP 47 tag for screen readers, hyphenation and fonts. */
  language: string | null;
  /** In the video's order. */
  notes: readonly MomentNote[];
}) {
  // A note follows the paragraph that's spoken at its moment.
  const following = groupBy(notes, ({ moment }) =>
    Math.max(
      paragraphs.findLastIndex(({ start }) => start <= moment),
      0,
    ),
  );
  return paragraphs.map((paragraph, index) => (
    <Fragment key={paragraph.first}>
      <TranscriptParagraph paragraph={paragraph} language={language} />
      {following.get(index)?.map((note) => (
        <a key={note.id} href={`#${noteElementId(note.id)}`} className="transcript-note">
          <span>Your note at {formatDuration(note.moment)}</span>
          <span dir="auto">{note.text}</span>
        </a>
      ))}
    </Fragment>
  ));
}

/** Shows the transcript as paragraphs of text, which screen readers read more easily than words to select. */
export function PlainText({ words, language }: { words: readonly Word[]; language: string | null }) {
  const parts = useMemo(() => splitWords(words), [words]);
  return (
    <section
      aria-label="Plain text"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
      tabIndex={0}
      className="flex min-h-0 flex-col gap-4 overflow-y-auto rounded-b-18 py-5 font-serif text-[18px] sm:px-5 leading-[1.72] focus-visible:-outline-offset-3"
    >
      {parts.map((part) => (
        <p key={part.first} dir="auto" lang={language ?? undefined} className="max-w-prose">
          {part.words.map(({ word }) => word).join(' ')}
        </p>
      ))}
    </section>
  );
}

/** A word's span. In a translated page, it holds elements of the browser's. */
const WORD = '.transcript-paragraph > p > span';

/**
 * Highlights words by setting classes on their spans outside React, so that a change touches two spans however many
 * there are. `now` is the word being spoken, `cursor` the one with keyboard focus. Paragraphs up to the current one are
 * `spoken`.
 */
export function createWordHighlighter(panel: HTMLElement) {
  const spans = [...panel.querySelectorAll<HTMLSpanElement>(WORD)];
  const order = new Map<HTMLElement, number>(spans.map((span, index) => [span, index]));
  const marked: Record<'now' | 'cursor', HTMLSpanElement | undefined> = { now: undefined, cursor: undefined };

  function move(mark: 'now' | 'cursor', index: number): HTMLSpanElement | undefined {
    const before = marked[mark];
    const after = spans[index];
    if (before === after) return after;
    before?.classList.remove(mark);
    after?.classList.add(mark);
    marked[mark] = after;
    return after;
  }

  const paragraphs = [...panel.querySelectorAll<HTMLElement>('.transcript-paragraph')];
  let spoken = -1;

  /** Marks the paragraphs up to a word's. Changes only those between it and the one before. */
  function speak(word: HTMLSpanElement | undefined): void {
    const paragraph = word?.parentElement?.parentElement;
    if (paragraph && paragraph === paragraphs[spoken]) return;
    const last = paragraph ? paragraphs.indexOf(paragraph) : -1;
    for (let index = Math.min(last, spoken) + 1; index <= Math.max(last, spoken); index += 1) {
      paragraphs[index]?.classList.toggle('spoken', index <= last);
    }
    spoken = last;
  }

  let found: HTMLSpanElement[] = [];

  return {
    count: spans.length,
    /** Returns the index of the word that an element is in; -1 if it's in none. */
    indexOf: (element: Element) => order.get(element.closest<HTMLSpanElement>(WORD) ?? panel) ?? -1,
    spanAt: (index: number): HTMLSpanElement | undefined => spans[index],
    /** Highlights matches, and the selected one more strongly. */
    find(matches: readonly Match[], shown: Match | undefined) {
      for (const span of found) span.classList.remove('match', 'shown');
      found = matches.flatMap(({ first, last }) => spans.slice(first, last + 1));
      for (const span of found) span.classList.add('match');
      if (!shown) return;
      for (const span of spans.slice(shown.first, shown.last + 1)) span.classList.add('shown');
    },
    now(index: number) {
      speak(move('now', index));
    },
    /** Moves the keyboard cursor; the span's id is for `aria-activedescendant`. */
    cursor(index: number, id: string) {
      marked.cursor?.removeAttribute('id');
      move('cursor', index)?.setAttribute('id', id);
    },
  };
}
