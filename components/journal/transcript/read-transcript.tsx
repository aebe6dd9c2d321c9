import { useState } from 'react';
import { Button } from '@/components/ui/button';
import type { Elements } from '@/components/ui/elements';
import type { Word } from '@/lib/journal/transcripts/contract';
import { FindButton, useFind } from './find-bar';
import { TranscriptBody } from './transcript';

/** The heading of a transcript. @param labels what to say beside it @param children actions */
export function TranscriptHeader({ labels, children }: { labels?: Elements; children: Elements }) {
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
  children?: Elements;
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
