import type { Body } from '@/lib/contract/client';
import type { ArchivedEntry, ArchivedJournal } from '@/lib/exports/format';
import type { ArchivedTranscript } from '@/lib/transcripts/contract';
import type { checkImport, importEntry, importJournal, importRevision } from './routes';

/** An archived entry that has a video, and what tells it apart from another with the same one. */
export interface ImportableEntry {
  entry: ArchivedEntry;
  video: NonNullable<ArchivedEntry['original']>;
  /** How many entries of the archive before this one have the same video and date. */
  occurrence: number;
}

/** Returns a journal's entries that have a video, in its order. Where the original is lost, the copy that plays stands in. */
export function importableEntries({ entries }: ArchivedJournal): ImportableEntry[] {
  const seen = new Map<string, number>();
  return entries.flatMap((entry) => {
    const video = entry.original ?? entry.playable;
    if (!video) return [];
    const key = `${video.sha256} ${entry.date}`;
    const occurrence = seen.get(key) ?? 0;
    seen.set(key, occurrence + 1);
    return [{ entry, video, occurrence }];
  });
}

/** How many entries one request may ask about. */
const CHECK_BATCH = 500;

/** Returns the requests that ask which entries the journal has. */
export function checkRequests(entries: readonly ImportableEntry[]): Body<typeof checkImport>[] {
  const asked = entries.map(({ entry: { id, date }, video: { sha256 }, occurrence }) => ({
    id,
    date,
    sha256,
    occurrence,
  }));
  return Array.from({ length: Math.ceil(asked.length / CHECK_BATCH) }, (_, batch) => ({
    entries: asked.slice(batch * CHECK_BATCH, (batch + 1) * CHECK_BATCH),
  }));
}

/** Returns the request that adds what doesn't belong to one entry. */
export function journalRequest(journal: ArchivedJournal): Body<typeof importJournal> {
  const { exportedAt, vocabulary, tags, hiddenMemories } = journal;
  const names = new Map(tags.map(({ id, name }) => [id, name]));
  return {
    exportedAt,
    vocabulary,
    tags: tags.map(({ name, color }) => ({ name, color })),
    hiddenTags: hiddenMemories.flatMap(({ tag, createdAt }) => {
      const name = tag === null ? undefined : names.get(tag);
      return name === undefined ? [] : [{ name, createdAt }];
    }),
    hiddenDates: hiddenMemories.flatMap(({ date, createdAt }) =>
      date === null ? [] : [{ date, createdAt }],
    ),
  };
}

/** Returns the request that opens an entry's import. @param transcript null to have the video transcribed */
export function entryRequest(
  { tags, hiddenMemories }: ArchivedJournal,
  { entry, video, occurrence }: ImportableEntry,
  transcript: ArchivedTranscript | null,
): Body<typeof importEntry> {
  const { id, title, date, createdAt, fileName, contentType, duration, notes } = entry;
  const own = new Set(entry.tags);
  return {
    id,
    sha256: video.sha256,
    occurrence,
    file_name: fileName,
    content_type: video === entry.original ? contentType : 'video/mp4',
    size: video.bytes,
    // Zero says no more than null.
    duration: duration || null,
    title,
    date,
    createdAt,
    tags: tags.filter((tag) => own.has(tag.id)).map(({ name, color }) => ({ name, color })),
    notes: notes.map(({ text, moment, createdAt: writtenAt }) => ({ text, moment, createdAt: writtenAt })),
    hiddenAt: hiddenMemories.find((hidden) => hidden.entry === id)?.createdAt ?? null,
    transcript: transcript &&
      entry.transcript && {
        status: transcript.status,
        language: transcript.language,
        sha256: entry.transcript.sha256,
      },
  };
}

/** Returns the requests that add a transcript's revisions. */
export function revisionRequests({ revisions }: ArchivedTranscript): Body<typeof importRevision>[] {
  return revisions.map(({ revision, createdAt, engine, draft, estimated, logProbability, words }) => ({
    revision,
    createdAt,
    engine,
    draft,
    estimated,
    logProbability,
    words: words.map(({ word, start, end, confidence }) => ({
      word,
      start,
      end,
      ...(confidence !== undefined && { confidence }),
    })),
  }));
}
