import { Fragment, memo } from 'react';
import { formatDuration } from '@/components/entries/format-duration';
import type { Paragraph } from '@/lib/transcripts/paragraphs';

/** About half of the words below this confidence are wrong. */
const UNSURE_BELOW = 0.3;

/** Renders the words as spans in paragraphs. Renders once, since highlights are set outside React. */
export const TranscriptWords = memo(function TranscriptWords({
  paragraphs,
  language,
}: {
  paragraphs: Paragraph[];
  /** A BCP 47 tag for screen readers, hyphenation and fonts. */
  language: string | null;
}) {
  return paragraphs.map(({ first, start, words }) => (
    <div key={first} className="transcript-paragraph">
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
  ));
});
