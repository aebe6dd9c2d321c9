import { Search } from 'lucide';
import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import type { Word } from '@/lib/journal/transcripts/contract';
import { FindBar } from './find-bar';
import { PlainText } from './plain-text';
import { Transcript } from './transcript';
import { useFind } from './use-find';

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
      <div className="flex min-h-15 shrink-0 flex-wrap items-center gap-x-2 border-b border-line py-1.5 sm:pr-1.5 sm:pl-4">
        <h2 id="transcript-heading" className="text-15 font-semibold">
          Transcript
        </h2>
        {message === null && (
          <div className="ml-auto flex items-center">
            {!plain && (
              <button
                type="button"
                aria-label="Find in transcript"
                aria-expanded={find.query !== null}
                onClick={find.open}
                className="grid size-11 place-items-center rounded-pill text-ink-2 hover:bg-sunken hover:text-ink"
              >
                <Icon of={Search} className="size-5" aria-hidden="true" />
              </button>
            )}
            <Button size="sm" variant="ghost" aria-pressed={plain} onClick={() => setPlain(!plain)}>
              Plain text
            </Button>
            {children}
          </div>
        )}
      </div>
      {message !== null ? (
        <p role="status" className="py-5 text-15 text-ink-2 sm:px-5">
          {message}
        </p>
      ) : plain ? (
        <PlainText words={words} />
      ) : (
        <>
          {find.query !== null && (
            <FindBar
              query={find.query}
              onQuery={find.search}
              count={find.matches.length}
              current={find.current}
              onStep={find.step}
              onClose={find.close}
            />
          )}
          <Transcript
            words={words}
            language={language}
            matches={find.matches}
            shown={find.shown}
            markUnsure={false}
            onFindStep={find.step}
          />
        </>
      )}
    </section>
  );
}
