import { useMemo } from 'react';
import { Button } from '@/components/ui/button';
import { type StudioWords, useWordsState } from './use-live-words';
import { type HeardWords, wordsKey } from './words-state';

/** Returns what was heard in a recording, if words are switched on. */
function useHeard({ live, wanted }: StudioWords, recordingId: string | null): HeardWords | null {
  const { heard } = useWordsState(live);
  return (wanted && heard.get(wordsKey(recordingId))) || null;
}

/** Shows the words of a recording. */
export function HeardText({ words, recordingId }: { words: StudioWords; recordingId: string | null }) {
  const heard = useHeard(words, recordingId);
  const text = useMemo(() => heard?.draft?.words.map(({ word }) => word).join(' '), [heard]);
  if (!heard || (heard.done && !text)) return null;
  return (
    <section
      aria-label="Your words"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
      tabIndex={0}
      className="max-h-60 overflow-y-auto rounded-18 border border-line bg-surface p-5"
    >
      {text && <p className="max-w-prose font-serif text-[18px] leading-[1.72]">{text}</p>}
      <p role="status" className="text-14 text-ink-2">
        {heard.done ? 'You can correct these words after you upload.' : 'Writing down your last words…'}
      </p>
    </section>
  );
}

/** Offers a title that was made from what's been said, unless there is one. */
export function SuggestedTitle({
  words,
  recordingId,
  title,
  onUse,
}: {
  words: StudioWords;
  recordingId: string | null;
  /** What's in the field. */
  title: string;
  onUse: (title: string) => void;
}) {
  const suggestion = useHeard(words, recordingId)?.draft?.title;
  if (!suggestion || title.trim() !== '') return null;
  return (
    <div className="-mt-2 flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
      <p className="min-w-0 break-words text-14 text-ink-2">
        Suggested: <span className="font-semibold text-ink">{suggestion}</span>
      </p>
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Use “${suggestion}”`}
        onClick={() => onUse(suggestion)}
      >
        Use
      </Button>
    </div>
  );
}
