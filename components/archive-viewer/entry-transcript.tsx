import { Search } from 'lucide';
import { useState } from 'react';
import { FindBar } from '@/components/transcript/find-bar';
import { PlainText } from '@/components/transcript/plain-text';
import { Transcript } from '@/components/transcript/transcript';
import { useFind } from '@/components/transcript/use-find';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import type { LoadedWords } from './use-words';

const MESSAGES = {
  loading: 'Loading...',
  none: 'This entry has no transcript.',
  missing:
    'We couldn’t load the words of this month. If you moved or deleted files of this archive, put them back and reload this page.',
};

/** Shows the words: a click plays from there, and they can be searched, or read as plain text. */
export function EntryTranscript({ words, status }: LoadedWords) {
  const [plain, setPlain] = useState(false);
  const find = useFind(words);
  return (
    <section
      aria-labelledby="transcript-heading"
      className="flex max-h-[min(70dvh,620px)] min-h-0 flex-col rounded-18 border border-line bg-surface"
    >
      <div className="flex min-h-15 shrink-0 flex-wrap items-center gap-x-2 border-b border-line py-1.5 pr-1.5 pl-4">
        <h2 id="transcript-heading" className="text-15 font-semibold">
          Transcript
        </h2>
        {status === 'loaded' && (
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
          </div>
        )}
      </div>
      {status !== 'loaded' ? (
        <p role="status" className="p-5 text-15 text-ink-2">
          {MESSAGES[status]}
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
            language={null}
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
