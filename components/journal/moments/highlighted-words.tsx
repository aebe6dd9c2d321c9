import { Fragment } from 'react';
import type { Word } from '@/lib/journal/transcripts/contract';
import { endsSentence } from '@/lib/journal/transcripts/shared/ends-sentence';

/**
 * Shows words as they're spoken: those to come are paler, and the current one is marked.
 * @param current the index of the current word; null if nothing is playing
 */
export function HighlightedWords({ words, current }: { words: readonly Word[]; current: number | null }) {
  const last = words.at(-1)?.word ?? '';
  const spans = words.map(({ word, start_time }, index) => {
    const isLater = current !== null && index > current;
    const look = index === current ? 'rounded-[4px] bg-mark ring-3 ring-mark' : isLater ? 'text-ink-3' : '';
    return (
      <Fragment key={start_time}>
        {index > 0 && ' '}
        <span className={`transition-colors duration-120 ${look}`}>{word}</span>
      </Fragment>
    );
  });
  return (
    <>
      {spans}
      {!endsSentence(last) && ' …'}
    </>
  );
}
