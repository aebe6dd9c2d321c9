import type { z } from 'zod';
import { cleanText, isBlank } from '@/lib/foundation/shared/clean-text';
import { fromIso } from '@/lib/journal/entries/shared/calendar';
import type { ArchivedTranscript } from '@/lib/journal/transcripts/contract';
import type { ArchivedEntry, ArchivedJournal } from '@/lib/portability/exports/format';
import type * as contract from '@/lib/portability/imports/archive/contract';

/** An archived entry that has a video. */
export interface ImportableEntry {
  entry: ArchivedEntry;
  video: NonNullable<ArchivedEntry['original']>;
  /**
   * All entries of the archive that have this video, in its order, and which of them this is, from 0. Empty if it has no
   * id, date, or checksum that the journal could know it by.
   */
  twins: readonly Pick<ArchivedEntry, 'id' | 'date'>[];
  twin: number;
}

/** As the contract has it. */
const MAX_ID_LENGTH = 100;

/** Whether an entry can be asked about. One that can't, as in an edited archive, doesn't keep the others out. */
const isRecognizable = ({ id, date }: ArchivedEntry, sha256: string) =>
  id.length <= MAX_ID_LENGTH && fromIso(date) !== null && /^[0-9a-f]{64}$/.test(sha256);

/** Returns a journal's entries that have a video, in its order. Where the original is lost, the copy that plays stands in. */
export function importableEntries({ entries }: ArchivedJournal): ImportableEntry[] {
  const seen = new Map<string, Pick<ArchivedEntry, 'id' | 'date'>[]>();
  return entries.flatMap((entry) => {
    const video = entry.original ?? entry.playable;
    if (!video) return [];
    if (!isRecognizable(entry, video.sha256)) return [{ entry, video, twins: [], twin: 0 }];
    const twins = seen.get(video.sha256) ?? [];
    seen.set(video.sha256, twins);
    const twin = twins.push({ id: entry.id, date: entry.date }) - 1;
    return [{ entry, video, twins, twin }];
  });
}

/** Whether the journal has an archived entry. */
export type EntryState = z.output<typeof contract.checkImport.response>['states'][number][number];

/** How many entries one request asks about, but for those with the same video, which aren't divided. */
const CHECK_BATCH = 500;

type CheckRequest = z.input<typeof contract.checkImport.body>;

function checkRequests(entries: readonly ImportableEntry[]): CheckRequest[] {
  const known = entries.filter(({ twins }) => twins.length > 0);
  const videos = new Map(known.map(({ video: { sha256 }, twins }) => [sha256, [...twins]]));
  const requests: CheckRequest[] = [];
  let size = CHECK_BATCH;
  for (const [sha256, twins] of videos) {
    if (size >= CHECK_BATCH) {
      requests.push({ videos: [] });
      size = 0;
    }
    requests.at(-1)?.videos.push({ sha256, twins });
    size += twins.length;
  }
  return requests;
}

/**
 * Asks which entries the journal has.
 * @param check sends a request
 * @returns the entries' states, in their order
 */
export async function checkEntries(
  entries: readonly ImportableEntry[],
  check: (body: CheckRequest) => Promise<z.output<typeof contract.checkImport.response>>,
): Promise<EntryState[]> {
  const found = new Map<string, EntryState[]>();
  for (const request of checkRequests(entries)) {
    const { states } = await check(request);
    for (const [index, { sha256 }] of request.videos.entries()) found.set(sha256, states[index] ?? []);
  }
  return entries.map(
    ({ video, twins, twin }) => (twins.length > 0 && found.get(video.sha256)?.[twin]) || 'new',
  );
}

/** How many of each kind a request adds: fewer than the contract takes, since its body has a limit, too. */
const JOURNAL_BATCH = 1000;
const VOCABULARY_BATCH = 200;

const batchesOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, batch) =>
    all.slice(batch * size, (batch + 1) * size),
  );

/**
 * Returns the requests that add what doesn't belong to one entry: tags first, since the hidden ones are among them.
 * @param importId the import that it belongs to
 */
export function journalRequests(
  journal: ArchivedJournal,
  importId: string,
): z.input<typeof contract.importJournal.body>[] {
  const { exportedAt, vocabulary, tags, hiddenMemories } = journal;
  const names = new Map(tags.map(({ id, name }) => [id, name]));
  const nothing = {
    import_id: importId,
    exportedAt,
    tags: [],
    vocabulary: [],
    hiddenTags: [],
    hiddenDates: [],
  };
  const named = tags.map(({ name, color }) => ({ name, color }));
  const hiddenTags = hiddenMemories.flatMap(({ tag, createdAt }) => {
    const name = tag === null ? undefined : names.get(tag);
    return name === undefined ? [] : [{ name, createdAt }];
  });
  const hiddenDates = hiddenMemories.flatMap(({ date, createdAt }) =>
    date === null ? [] : [{ date, createdAt }],
  );
  return [
    ...batchesOf(named, JOURNAL_BATCH).map((batch) => ({ ...nothing, tags: batch })),
    ...batchesOf(vocabulary, VOCABULARY_BATCH).map((batch) => ({ ...nothing, vocabulary: batch })),
    ...batchesOf(hiddenTags, JOURNAL_BATCH).map((batch) => ({ ...nothing, hiddenTags: batch })),
    ...batchesOf(hiddenDates, JOURNAL_BATCH).map((batch) => ({ ...nothing, hiddenDates: batch })),
  ];
}

/**
 * Returns the request that opens an entry's import.
 * @param transcript null to have the video transcribed
 * @param importId the import that it belongs to
 */
export function entryRequest(
  { tags, hiddenMemories }: ArchivedJournal,
  { entry, video, twins, twin }: ImportableEntry,
  transcript: ArchivedTranscript | null,
  importId: string,
): z.input<typeof contract.importEntry.body> {
  const { id, title, date, question, createdAt, fileName, contentType, duration, notes } = entry;
  const own = new Set(entry.tags);
  return {
    import_id: importId,
    sha256: video.sha256,
    twins: [...twins],
    twin,
    file_name: fileName,
    content_type: video === entry.original ? contentType : 'video/mp4',
    size: video.bytes,
    // Zero says no more than null.
    duration: duration || null,
    title,
    date,
    question: question ?? undefined,
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

type ArchivedWord = ArchivedTranscript['revisions'][number]['words'][number];
type SentWord = z.input<typeof contract.importRevision.body>['words'][number];

// As the contract has them.
const MAX_WORDS = 100_000;
const MAX_CHARACTERS = 200;
const MAX_SECONDS = 1_000_000;

/** How far words may extend past the end of the video, in seconds: engines round up. */
const MAX_OVERRUN = 1;

/** Returns a word as the contract takes it; '' if it's blank. */
function repairText(word: unknown): string {
  if (typeof word !== 'string') return '';
  const cut = [...cleanText(word)].slice(0, MAX_CHARACTERS).join('').trim();
  return isBlank(cut) ? '' : cut;
}

/**
 * Returns an archived revision's words as the contract takes them: in time order, within the video, and none of them empty.
 * Speech engines and people who edit archives don't always follow these rules, and the rest of an entry shouldn't be lost
 * for it.
 * @param duration the video's, in seconds; null if it isn't known
 */
export function repairWords(words: readonly ArchivedWord[], duration: number | null): SentWord[] {
  const last = Math.min(duration === null ? MAX_SECONDS : duration + MAX_OVERRUN, MAX_SECONDS);
  const within = (seconds: number, first: number) => Math.min(Math.max(seconds, first), last);
  return words
    .flatMap(({ word, start, end, confidence }): SentWord[] => {
      const text = repairText(word);
      if (text === '' || !Number.isFinite(start) || !Number.isFinite(end)) return [];
      const from = within(start, 0);
      const known = typeof confidence === 'number' ? Math.min(Math.max(confidence, 0), 1) : null;
      return [[text, from, within(end, from), known]];
    })
    .sort(([, one], [, other]) => one - other)
    .slice(0, MAX_WORDS);
}

/** Returns the requests that add an entry's revisions of the transcript. */
export function revisionRequests(
  { entry: { duration } }: ImportableEntry,
  { revisions }: ArchivedTranscript,
): z.input<typeof contract.importRevision.body>[] {
  return revisions.map(({ revision, createdAt, engine, draft, estimated, logProbability, words }) => ({
    ...{ revision, createdAt, engine, draft, estimated, logProbability },
    words: repairWords(words, duration),
  }));
}
