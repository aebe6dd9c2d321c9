import { type ComponentProps, type ReactNode, useMemo, useState } from 'react';
import { Button } from '@/components/ui/button';
import type { Word } from '@/lib/journal/transcripts/contract';
import { paragraphs } from '@/lib/journal/transcripts/shared/paragraphs';
import { type Find, FindBar, FindButton, useFind } from './find-bar';
import { Transcript } from './transcript';

/** The heading of a transcript. @param labels what to say beside it @param children actions */
export function TranscriptHeader({ labels, children }: { labels?: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-h-15 shrink-0 flex-wrap items-center gap-x-2 border-b border-line py-1.5 sm:pr-1.5 sm:pl-4">
      <h2 id="transcript-heading" className="text-15 font-semibold">
        Transcript
      </h2>
      {labels}
      {children && <div className="ml-auto flex items-center">{children}</div>}
    </div>
  );
}

/** Shows the transcript as paragraphs of text, which screen readers read more easily than words to select. */
function PlainText({ words }: { words: readonly Word[] }) {
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

/** Shows words to play from and to search, or as plain text. */
export function TranscriptBody({
  plain,
  ...shown
}: ComponentProps<typeof Transcript> & { find: Find; plain: boolean }) {
  if (plain) return <PlainText words={shown.words} />;
  return (
    <>
      {shown.find.query !== null && <FindBar find={shown.find} />}
      <Transcript {...shown} />
    </>
  );
}

/**
 * Shows a transcript where there's no server: a click on a word plays from there, and the words can be searched, or read
 * as plain text.
 */
export function ReadTranscript({
  words,
  language = null,
  message,
  children,
}: {
  words: readonly Word[];
  /** BCP 47, or null while unknown. */
  language?: string | null;
  /** What to show in place of the words; null to show them. */
  message: string | null;
  /** More actions on the words. */
  children?: ReactNode;
}) {
  const [plain, setPlain] = useState(false);
  const find = useFind(words);
  return (
    <section aria-labelledby="transcript-heading" className="transcript-flow">
      <TranscriptHeader>
        {message === null && (
          <>
            {!plain && <FindButton find={find} />}
            <Button size="sm" variant="ghost" aria-pressed={plain} onClick={() => setPlain(!plain)}>
              Plain text
            </Button>
            {children}
          </>
        )}
      </TranscriptHeader>
      {message === null ? (
        <TranscriptBody words={words} language={language} find={find} plain={plain} />
      ) : (
        <p role="status" className="py-5 text-15 text-ink-2 sm:px-5">
          {message}
        </p>
      )}
    </section>
  );
}
