import { Fragment, memo } from 'react';
import { formatDuration } from '@/components/journal/entries/format-duration';
import { type MomentNote, noteElementId } from '@/components/journal/player/moment-notes';
import type { Paragraph } from '@/lib/journal/transcripts/shared/paragraphs';

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
      <p lang={language ?? undefined}>
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

/** Shows a note where it belongs, and leads to the list of notes. */
function NoteInTranscript({ note }: { note: MomentNote }) {
  return (
    <a href={`#${noteElementId(note.id)}`} className="transcript-note">
      <span>Your note at {formatDuration(note.moment)}</span>
      <span>{note.text}</span>
    </a>
  );
}

/** Returns the notes that belong after each paragraph: the one that's spoken at their moment. */
function notesByParagraph(paragraphs: readonly Paragraph[], notes: readonly MomentNote[]) {
  const found = new Map<number, MomentNote[]>();
  for (const note of notes) {
    const index = Math.max(
      paragraphs.findLastIndex(({ start }) => start <= note.moment),
      0,
    );
    found.set(index, [...(found.get(index) ?? []), note]);
  }
  return found;
}

/** Renders the words in paragraphs, with the notes about their moments in between. */
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
  const following = notesByParagraph(paragraphs, notes);
  return paragraphs.map((paragraph, index) => (
    <Fragment key={paragraph.first}>
      <TranscriptParagraph paragraph={paragraph} language={language} />
      {following.get(index)?.map((note) => (
        <NoteInTranscript key={note.id} note={note} />
      ))}
    </Fragment>
  ));
}
