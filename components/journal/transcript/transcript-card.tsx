'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import type { OwnedEntry } from '@/components/journal/entries/owned-entry';
import { RetryJob } from '@/components/journal/entries/retry-job';
import { getDeviceSetting, setDeviceSetting } from '@/components/ui/browser-storage';
import { Button } from '@/components/ui/button';
import { lazyComponent } from '@/components/ui/load-code';
import { Loading } from '@/components/ui/loading';
import type { Transcription } from '@/lib/journal/transcripts/contract';
import { unpackWords } from '@/lib/journal/transcripts/shared/word-list';
import { FindButton, useFind } from './find-bar';
import { MergeNotice } from './merge-notice';
import { TranscriptHeader } from './read-transcript';
import { TranscriptBody } from './transcript';
import { useTranscriptDraft } from './transcript-draft';
import { TranscriptMenu } from './transcript-menu';
import { DraftNotice, EndAnnouncement, TranscriptionProgress } from './transcription-progress';

const TranscriptEditor = lazyComponent(() => import('./transcript-editor'), 'TranscriptEditor');

/** Returns what to show in place of the words; null if there are any. */
function emptyMessage({ status, error, words }: Transcription): string | null {
  if (status === 'failed') return error ?? 'We couldn’t transcribe this video.';
  if (status === 'no_speech') return 'We couldn’t hear any words in this video.';
  return words.length === 0 ? 'This transcript is empty.' : null;
}

/** Returns what to announce once the server is done. It isn't what's on screen, so that nothing is read twice. */
function outcomeOf({ status, draft, words }: Transcription): string {
  // A draft that's still there is one that the server couldn't replace.
  if (status === 'failed' || draft) return 'Transcription failed.';
  return words.length > 0 ? 'The transcript is ready.' : 'No words were found.';
}

const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** Returns 'English' for 'en', and undefined for invalid language tags. */
function languageName(tag: string | null): string | undefined {
  try {
    return tag ? languages.of(tag) : undefined;
  } catch {
    return undefined;
  }
}

function Label({ children }: { children: ReactNode }) {
  return (
    <span className="rounded-pill bg-sunken px-2.5 py-0.5 text-13 font-normal text-ink-2">{children}</span>
  );
}

const UNSURE_HIDDEN_KEY = 'daylight-unsure-words-off';

/** Returns whether to mark words with low confidence; saved on this device. */
function useMarkUnsureWords(): [boolean, (marked: boolean) => void] {
  const [marked, setMarked] = useState(true);
  useEffect(() => setMarked(getDeviceSetting(UNSURE_HIDDEN_KEY) === null), []);
  return [
    marked,
    (next) => {
      setDeviceSetting(UNSURE_HIDDEN_KEY, next ? null : 'yes');
      setMarked(next);
    },
  ];
}

/** Shows the transcript in any state: reading, searching, or editing it as text. */
export function TranscriptCard({
  owner,
  entryId,
  duration,
  words: packed,
  transcription,
}: OwnedEntry & {
  /** Seconds. */
  duration: number;
  /** As {@link packWords} returns them. */
  words: string;
  transcription: Omit<Transcription, 'words'>;
}) {
  const router = useRouter();
  const renderedWords = useMemo(() => unpackWords(packed), [packed]);
  const rendered = useMemo(
    () => ({ ...transcription, words: renderedWords }),
    [transcription, renderedWords],
  );
  const [changed, setChanged] = useState<Transcription | null>(null);
  const [editing, setEditing] = useState(false);
  const [historyOpen, setHistoryOpen] = useState(false);
  const [plain, setPlain] = useState(false);
  const [markUnsure, setMarkUnsure] = useMarkUnsureWords();
  const [draft, setDraft] = useTranscriptDraft(owner, entryId);
  const edit = useRef<HTMLButtonElement>(null);

  // A change saved here wins until the page has it too.
  const current = changed && (changed.revision ?? 0) > (rendered.revision ?? 0) ? changed : rendered;
  const { status, words } = current;
  const find = useFind(words);
  const notice = emptyMessage(current);
  const language = languageName(current.language);

  function change(to: Transcription) {
    setChanged(to);
    setEditing(false);
    if (to.revision !== rendered.revision) router.refresh();
  }

  const open = status !== 'processing' && (editing || draft !== null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !open) edit.current?.focus();
    wasOpen.current = open;
  }, [open]);
  return (
    <section
      aria-labelledby="transcript-heading"
      data-editing={open || undefined}
      className="transcript-flow"
    >
      <TranscriptHeader
        labels={
          <>
            {current.draft && <Label>Rough draft</Label>}
            {language && <Label>{language}</Label>}
          </>
        }
      >
        {!open && status !== 'processing' && (
          <>
            {!notice && !plain && <FindButton find={find} />}
            <Button ref={edit} size="sm" variant="secondary" onClick={() => setEditing(true)}>
              {notice ? 'Write transcript' : 'Edit'}
            </Button>
            {current.revision !== null && (
              <TranscriptMenu
                entryId={entryId}
                plain={plain}
                onPlain={setPlain}
                markUnsure={markUnsure}
                onMarkUnsure={setMarkUnsure}
                historyOpen={historyOpen}
                onHistoryOpen={setHistoryOpen}
                onRestored={change}
              />
            )}
          </>
        )}
      </TranscriptHeader>
      <MergeNotice
        owner={owner}
        entryId={entryId}
        revision={open ? null : current.revision}
        onHistory={() => setHistoryOpen(true)}
      />
      {status === 'processing' ? (
        <TranscriptionProgress progress={current.progress ?? 0} />
      ) : open ? (
        <Suspense fallback={<Loading />}>
          <TranscriptEditor
            owner={owner}
            entryId={entryId}
            duration={duration}
            transcription={current}
            draft={draft}
            onDraft={(next) => {
              setEditing(true);
              setDraft(next);
            }}
            onDone={change}
          />
        </Suspense>
      ) : notice ? (
        <div className="flex flex-col items-start gap-4 py-5 text-15 text-ink-2 sm:px-5">
          <p>{notice}</p>
          {status !== 'completed' && <RetryJob job="transcript" entryId={entryId} />}
        </div>
      ) : (
        <TranscriptBody
          words={words}
          language={current.language}
          find={find}
          plain={plain}
          markUnsure={markUnsure}
        />
      )}
      {current.draft && !open && <DraftNotice entryId={entryId} progress={current.progress} />}
      <EndAnnouncement processing={current.progress !== undefined} outcome={outcomeOf(current)} />
    </section>
  );
}
