import Link from 'next/link';
import { useEffect, useState } from 'react';
import { entryHref } from '@/components/journal/entries/entry-href';
import { QuestionHeading } from '@/components/journal/entries/question-heading';
import { ReadNotes } from '@/components/journal/notes/read-notes';
import { MomentNotesProvider } from '@/components/journal/player/moment-notes';
import { PlaybackProvider } from '@/components/journal/player/playback';
import { ReadTranscript } from '@/components/journal/transcript/read-transcript';
import { PageHeading } from '@/components/ui/page-heading';
import { TagDot } from '@/components/ui/tag-dot';
import type { Word } from '@/lib/journal/transcripts/contract';
import { EntryVideo } from './entry-video';
import { fileUrl, type Journal, monthOf, type ViewerEntry } from './journal';
import { loadMonth } from './month-files';
import { journalPath } from './route';

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' });

const NONE: readonly Word[] = [];

interface LoadedWords {
  words: readonly Word[];
  /** BCP 47. */
  language: string | null;
  /** `missing` if the file with the month's words isn't in the archive any more. */
  status: 'loading' | 'loaded' | 'none' | 'missing';
}

async function loadWords(entry: ViewerEntry): Promise<LoadedWords> {
  const month = await loadMonth(monthOf(entry));
  if (!month) return { words: NONE, language: null, status: 'missing' };
  const { words = [], language = null } = month[entry.id] ?? {};
  if (words.length === 0) return { words: NONE, language, status: 'none' };
  return {
    words: words.map(([word, start_time, end_time]) => ({ word, start_time, end_time })),
    language,
    status: 'loaded',
  };
}

/** Loads an entry's words. */
function useWords(entry: ViewerEntry): LoadedWords {
  const [loaded, setLoaded] = useState<LoadedWords>({
    words: NONE,
    language: null,
    status: entry.transcribed ? 'loading' : 'none',
  });
  useEffect(() => {
    if (!entry.transcribed) return;
    let gone = false;
    void loadWords(entry).then((words) => !gone && setLoaded(words));
    return () => {
      gone = true;
    };
  }, [entry]);
  return loaded;
}

const MESSAGES: Record<LoadedWords['status'], string | null> = {
  loading: 'Loading...',
  loaded: null,
  none: 'This entry has no transcript.',
  missing:
    'We couldn’t load the words of this month. If you moved or deleted files of this archive, put them back and reload this page.',
};

/** Links to the entries before and after this one. */
function Neighbors({ journal, entry }: { journal: Journal; entry: ViewerEntry }) {
  const index = journal.entries.indexOf(entry);
  const neighbors = [
    ['Earlier', journal.entries[index + 1]],
    ['Later', journal.entries[index - 1]],
  ] as const;
  return (
    <nav aria-label="Entries" className="grid gap-x-6 border-t border-line pt-4 sm:grid-cols-2">
      {neighbors.map(
        ([name, neighbor]) =>
          neighbor && (
            <Link
              key={name}
              href={entryHref(neighbor)}
              className={`min-w-0 rounded-8 py-2 hover:underline ${name === 'Later' ? 'sm:col-start-2 sm:text-right' : ''}`}
            >
              <span className="block text-13 text-ink-3">{name}</span>
              <span dir="auto" className="line-clamp-2 font-semibold [overflow-wrap:anywhere]">
                {neighbor.title}
              </span>
            </Link>
          ),
      )}
    </nav>
  );
}

function Tags({ tags }: Pick<ViewerEntry, 'tags'>) {
  if (tags.length === 0) return null;
  return (
    <ul aria-label="Tags" className="flex flex-wrap gap-x-4">
      {tags.map(({ id, name, color }) => (
        <li key={id} className="max-w-full">
          <Link href={journalPath({ tag: id })} className="flex min-h-11 items-center hover:underline">
            <TagDot name={name} color={color} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Files({ videos }: Pick<ViewerEntry, 'videos'>) {
  if (videos.length === 0) return null;
  return (
    <p className="text-14 text-ink-3 [overflow-wrap:anywhere]">
      <span>Video file: </span>
      {videos.map((path, index) => (
        <span key={path}>
          {index > 0 && <span>, </span>}
          <a href={fileUrl(path)} className="underline underline-offset-3 hover:text-ink">
            {path}
          </a>
        </span>
      ))}
    </p>
  );
}

/** An entry's page: video, words, notes, and tags. @param at where to start playing, in seconds */
export function EntryPage({
  journal,
  entry,
  at,
}: {
  journal: Journal;
  entry: ViewerEntry;
  at: number | null;
}) {
  const loaded = useWords(entry);
  return (
    <PlaybackProvider>
      <MomentNotesProvider notes={entry.notes}>
        <PageHeading lead={<time dateTime={entry.day}>{dayFormat.format(new Date(entry.day))}</time>}>
          <bdi>{entry.title}</bdi>
        </PageHeading>
        <div className="flex flex-col gap-6 min-[980px]:grid min-[980px]:grid-cols-[minmax(0,1.55fr)_minmax(0,1fr)] min-[980px]:gap-x-8">
          <div className="flex min-w-0 flex-col gap-6 max-[979px]:contents">
            <EntryVideo entry={entry} words={loaded.words} language={loaded.language} at={at} />
            <div className="flex min-w-0 flex-col gap-5 max-[979px]:order-last">
              <Tags tags={entry.tags} />
              <ReadNotes notes={entry.notes} />
              <Files videos={entry.videos} />
            </div>
          </div>
          <div className="flex min-w-0 flex-col gap-5 min-[980px]:sticky min-[980px]:top-24 min-[980px]:self-start">
            {entry.question && <QuestionHeading question={entry.question} />}
            <ReadTranscript
              words={loaded.words}
              language={loaded.language}
              message={MESSAGES[loaded.status]}
            />
          </div>
        </div>
        <Neighbors journal={journal} entry={entry} />
      </MomentNotesProvider>
    </PlaybackProvider>
  );
}
