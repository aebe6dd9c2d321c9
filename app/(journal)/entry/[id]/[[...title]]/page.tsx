import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { DeleteButton } from '@/components/journal/entries/delete-entry';
import { EntryHeader } from '@/components/journal/entries/entry-header';
import { EntryNeighbors } from '@/components/journal/entries/entry-neighbors';
import { EntryPicture } from '@/components/journal/entries/entry-picture';
import { EntryQuestion } from '@/components/journal/entries/entry-question';
import { HeldVideo } from '@/components/journal/entries/held-video';
import { isUnfinished } from '@/components/journal/entries/is-unfinished';
import { ProgressPoller } from '@/components/journal/entries/progress-poller';
import { RetryJob } from '@/components/journal/entries/retry-job';
import { EntryNotes, NotesProvider } from '@/components/journal/notes/entry-notes';
import { parseStartTime } from '@/components/journal/player/parse-start-time';
import { PlaybackProvider } from '@/components/journal/player/playback';
import { Player } from '@/components/journal/player/player';
import { SavedStatus, SaveOffline, SaveOfflineItem } from '@/components/journal/saved-entries/save-offline';
import { EntryTags } from '@/components/journal/tags/entry-tags';
import { TranscriptCard } from '@/components/journal/transcript/transcript-card';
import { Spinner } from '@/components/ui/spinner';
import { requireUser } from '@/lib/account/sessions/guards';
import { heldVideoOptions } from '@/lib/billing/plans/held-videos';
import { AppError } from '@/lib/foundation/contract/errors';
import { id as entryId } from '@/lib/foundation/contract/fields';
import type { Entry } from '@/lib/journal/entries/contract';
import { entryNeighbors } from '@/lib/journal/entries/gallery';
import { getEntry } from '@/lib/journal/entries/service';
import type { Tag } from '@/lib/journal/tags/contract';
import { listTags } from '@/lib/journal/tags/service';
import { packWords } from '@/lib/journal/transcripts/shared/word-list';
import { type Previews, previewsOf } from '@/lib/video/previews/service';

type Props = PageProps<'/entry/[id]/[[...title]]'>;

const requireEntryId = (id: string): string => (entryId.safeParse(id).success ? id : notFound());

/** Returns the visitor's entry, read once per request. A missing entry or someone else's is the not-found page. */
const loadEntry = cache(async (id: string): Promise<Entry> => {
  const user = await requireUser();
  try {
    return await getEntry(user.id, requireEntryId(id));
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') notFound();
    throw error;
  }
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { title } = await loadEntry((await params).id);
  return { title };
}

function Processing() {
  return (
    <div className="grid aspect-video max-h-[70dvh] w-full place-items-center rounded-18 border border-line bg-surface p-6">
      <p role="status" className="flex max-w-prose items-center gap-3 text-16 text-ink-2">
        <Spinner />
        Processing your recent upload. Please wait momentarily.
      </p>
    </div>
  );
}

function ProcessingFailed({ entry }: { entry: Entry }) {
  return (
    <div className="flex flex-col items-start gap-5 rounded-18 border border-line bg-surface p-6">
      <div role="alert">
        <h2 className="text-17 font-semibold">We couldn’t process this video</h2>
        <p className="mt-1 text-ink-2">
          {entry.videoError ?? 'Something went wrong on our end.'} Try again, or delete this entry and upload
          another file.
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        <RetryJob job="video" entryId={entry.id} />
        <DeleteButton id={entry.id} title={entry.title} />
      </div>
    </div>
  );
}

/** Shown below a video of which only the first copy could be made. */
function UnfinishedVideo({ entry }: { entry: Entry }) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-3 rounded-18 border border-line bg-surface p-5"
    >
      <p className="max-w-prose text-ink-2">
        We couldn’t finish processing this video, so it may not play in every browser. {entry.videoError}
      </p>
      <RetryJob job="video" entryId={entry.id} />
    </div>
  );
}

function EntryContent({
  owner,
  entry,
  categories,
  previews,
  startAt,
}: {
  owner: string;
  entry: Entry;
  previews: Previews;
  categories: readonly Tag[];
  startAt: number | null;
}) {
  const { id } = entry;
  const { words, ...transcription } = entry.transcription;
  const { revision, language, draft } = transcription;
  return (
    <NotesProvider entryId={id} notes={entry.notes}>
      <div className="flex flex-col gap-6 max-sm:contents min-[980px]:grid min-[980px]:grid-cols-[minmax(0,1.55fr)_minmax(0,1fr)] min-[980px]:grid-rows-[auto_auto_1fr] min-[980px]:gap-x-8">
        {/* On phones it's first, from edge to edge, and the title follows. */}
        <div className="min-w-0 max-sm:order-first max-sm:-mt-6">
          <EntryPicture entryId={id}>
            <Player
              owner={owner}
              entryId={id}
              src={entry.videoUrl}
              small={entry.smallVideoUrl}
              poster={entry.thumbnail}
              title={entry.title}
              captions={
                revision === null
                  ? null
                  : `/api/v1/entry/${id}/captions.vtt?revision=${revision}${draft ? '&draft' : ''}`
              }
              language={language}
              startAt={startAt}
              previews={previews}
            />
          </EntryPicture>
        </div>
        <div className="flex flex-col gap-6 min-[980px]:col-start-1 min-[980px]:row-start-2">
          {entry.videoStatus === 'failed' && !entry.heldByPlan && <UnfinishedVideo entry={entry} />}
          {entry.soundError && (
            <p className="rounded-18 border border-line bg-surface p-5 text-ink-2">{entry.soundError}</p>
          )}
          <EntryTags entryId={id} tags={entry.tags} categories={categories} />
        </div>
        <div className="min-[980px]:sticky min-[980px]:top-24 min-[980px]:col-start-2 min-[980px]:row-span-3 min-[980px]:row-start-1 min-[980px]:self-start flex flex-col gap-5">
          <EntryQuestion entryId={id} question={entry.question} />
          <TranscriptCard
            owner={owner}
            entryId={id}
            duration={entry.duration ?? 0}
            words={packWords(words)}
            transcription={transcription}
          />
        </div>
        <div className="min-[980px]:col-start-1 min-[980px]:row-start-3">
          <EntryNotes owner={owner} entryId={id} />
        </div>
      </div>
    </NotesProvider>
  );
}

/** An entry's page: video, transcript, and notes. It refreshes itself while they're being processed. */
export default async function EntryPage({ params, searchParams }: Props) {
  const user = await requireUser();
  // Checked before anything starts: a rejection that nothing awaits would be logged as an error.
  const id = requireEntryId((await params).id);
  const [entry, categories, previews, neighbors] = await Promise.all([
    loadEntry(id),
    listTags(user.id),
    previewsOf(user.id, id),
    entryNeighbors(user.id, id),
  ]);
  const { status, transcription } = entry;
  const heldOptions = entry.heldByPlan ? await heldVideoOptions(user.id, entry.duration ?? 0) : null;
  const moving =
    isUnfinished(entry) ||
    heldOptions?.secondsOver === 0 ||
    (status === 'completed' && transcription.progress !== undefined);
  return (
    <PlaybackProvider>
      <div className="gutter mx-auto flex w-full max-w-page flex-col gap-6 py-6 sm:py-11">
        <SaveOffline owner={user.id} entryId={entry.id}>
          <EntryHeader
            id={entry.id}
            title={entry.title}
            date={entry.date}
            isPlayable={status === 'completed'}
            status={<SavedStatus owner={user.id} entryId={entry.id} />}
            menuItems={status === 'completed' && <SaveOfflineItem />}
          />
        </SaveOffline>
        {status === 'processing' && <Processing />}
        {status === 'failed' &&
          (heldOptions ? (
            <HeldVideo entry={entry} options={heldOptions} />
          ) : (
            <ProcessingFailed entry={entry} />
          ))}
        {status === 'completed' && (
          <EntryContent
            owner={user.id}
            entry={entry}
            categories={categories}
            previews={previews}
            startAt={parseStartTime((await searchParams).t)}
          />
        )}
        <EntryNeighbors {...neighbors} />
        {moving && <ProgressPoller state={`${status} ${transcription.status}`} />}
      </div>
    </PlaybackProvider>
  );
}
