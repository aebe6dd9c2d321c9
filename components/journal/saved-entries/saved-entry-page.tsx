'use client';

import { useEffect, useMemo, useState } from 'react';
import { QuestionHeading } from '@/components/journal/entries/question-heading';
import { OfflineNotes, useOfflineNotes } from '@/components/journal/offline-edits/offline-notes';
import { MomentNotesProvider } from '@/components/journal/player/moment-notes';
import { PlaybackProvider } from '@/components/journal/player/playback';
import { Player } from '@/components/journal/player/player';
import { Loading, Skeleton } from '@/components/ui/loading';
import { PageHeading } from '@/components/ui/page-heading';
import { TagDot } from '@/components/ui/tag-dot';
import type { Entry } from '@/lib/journal/entries/contract';
import { formatUsDate, toIso } from '@/lib/journal/entries/shared/calendar';
import { useSavedEntryUpdates } from './global-saved-entries';
import { SavedEntries } from './saved-entries';
import { watchSavedEntries } from './saved-entries-owner';
import { isLocked, readSavedEntry, readSavedVideo } from './saved-entry-store';
import { SavedTranscript } from './saved-transcript';

/** A saved entry whose files have addresses of their own in this page. */
interface OpenedEntry {
  entry: Entry;
  video: string;
  poster: string;
  /** Null if there are none. */
  captions: string | null;
}

/** What the page shows: an entry, that it's locked, or null if it isn't on this device. */
type Opened = OpenedEntry | 'locked' | null;

/** Opens a saved entry. @param addressOf returns an address in this page for a file */
async function openSavedEntry(owner: string, id: string, addressOf: (file: Blob) => string): Promise<Opened> {
  const saved = await readSavedEntry(owner, id);
  if (saved && isLocked(saved)) return 'locked';
  const video = saved && (await readSavedVideo(saved));
  if (!video) return null;
  const { entry, poster, captions } = saved;
  return {
    entry,
    video: addressOf(video),
    poster: poster ? addressOf(poster) : '',
    captions: captions === null ? null : addressOf(new Blob([captions], { type: 'text/vtt' })),
  };
}

/** Opens a saved entry, and closes it when it's locked or removed. Returns undefined until it's known whether it's there. */
function useSavedEntry(owner: string, id: string): Opened | undefined {
  const [opened, setOpened] = useState<Opened>();
  useEffect(() => {
    const addresses: string[] = [];
    let isOver = false;
    const release = () => {
      for (const address of addresses.splice(0)) URL.revokeObjectURL(address);
    };
    const addressOf = (file: Blob) => {
      const address = URL.createObjectURL(file);
      addresses.push(address);
      return address;
    };
    const stop = () => {
      isOver = true;
      stopWatching();
      release();
    };
    async function closeIfGone() {
      const saved = await readSavedEntry(owner, id).catch(() => undefined);
      if (isOver || (saved && !isLocked(saved))) return;
      stop();
      setOpened(saved ? 'locked' : null);
    }
    const stopWatching = watchSavedEntries(() => void closeIfGone());
    setOpened(undefined);
    void openSavedEntry(owner, id, addressOf)
      // Where this browser stores nothing, nothing is saved.
      .catch(() => null)
      .then((found) => (isOver ? release() : setOpened(found)));
    return stop;
  }, [owner, id]);
  return opened;
}

function EntryContent({
  owner,
  opened: { entry, video, poster, captions },
  startAt,
}: {
  owner: string;
  opened: OpenedEntry;
  startAt: number | null;
}) {
  const { id, title, date, question, tags, transcription } = entry;
  const notes = useOfflineNotes(owner, id, entry.notes);
  const current = useMemo(() => notes.flatMap(({ note, edit }) => (edit?.deleted ? [] : [note])), [notes]);
  return (
    <PlaybackProvider>
      <MomentNotesProvider notes={current}>
        <PageHeading lead={<time dateTime={toIso(date)}>{formatUsDate(date)}</time>}>
          <bdi>{title}</bdi>
        </PageHeading>
        <div className="flex flex-col gap-6 min-[980px]:grid min-[980px]:grid-cols-[minmax(0,1.55fr)_minmax(0,1fr)] min-[980px]:gap-x-8">
          <div className="flex min-w-0 flex-col gap-6">
            <Player
              owner={owner}
              entryId={id}
              src={video}
              poster={poster}
              title={title}
              captions={captions}
              language={transcription.language}
              startAt={startAt}
            />
            {tags.length > 0 && (
              <ul aria-label="Tags" className="flex flex-wrap gap-x-4 gap-y-1 text-14 text-ink-2">
                {tags.map((tag) => (
                  <li key={tag.id} className="max-w-full">
                    <TagDot name={tag.name} color={tag.color} />
                  </li>
                ))}
              </ul>
            )}
            <OfflineNotes of={{ owner, entryId: id, title }} notes={notes} />
          </div>
          <div className="flex min-w-0 flex-col gap-5 min-[980px]:sticky min-[980px]:top-24 min-[980px]:self-start">
            {question && <QuestionHeading question={question} />}
            <SavedTranscript owner={owner} entry={entry} />
          </div>
        </div>
      </MomentNotesProvider>
    </PlaybackProvider>
  );
}

/**
 * Shows an entry from this device: video, captions, transcript, tags, and notes. What's written here waits to be sent. If
 * the entry isn't there, lists those that are. Needs no server.
 * @param startAt the start time in the page's URL, in seconds
 */
export function SavedEntryPage({
  owner,
  id,
  startAt,
}: {
  owner: string;
  id: string;
  startAt: number | null;
}) {
  const opened = useSavedEntry(owner, id);
  useSavedEntryUpdates(owner);
  if (opened === undefined) {
    return (
      <Loading>
        <Skeleton className="aspect-video rounded-18" />
      </Loading>
    );
  }
  if (opened === null || opened === 'locked') {
    return (
      <>
        <PageHeading
          lead={
            opened ? 'You’re logged out. Log in again to watch it.' : 'You need a connection to watch it.'
          }
        >
          {opened ? 'This entry is locked.' : 'This entry isn’t on this device.'}
        </PageHeading>
        <SavedEntries owner={owner} />
      </>
    );
  }
  return <EntryContent owner={owner} opened={opened} startAt={startAt} />;
}
