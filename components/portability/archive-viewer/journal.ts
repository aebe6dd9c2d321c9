import type { EntrySummary } from '@/lib/journal/entries/contract';
import { readDate } from '@/lib/journal/entries/shared/calendar';
import type { ArchivedEntry, ArchivedJournal } from '@/lib/portability/exports/format';

/** Shown in place of a thumbnail that was never made. */
const NO_THUMBNAIL = 'viewer/no-thumbnail.svg';

/** Returns the URL of a file in the archive, relative to index.html. Names may contain spaces, `#`, `%`, and quotes. */
export const fileUrl = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** An entry as its card and its page show it. */
export interface ViewerEntry extends EntrySummary {
  /** `YYYY-MM-DD` */
  day: string;
  /** Paths of the video, the one that every browser plays first. Empty if storage had lost it. */
  videos: string[];
  /** Whether there are words to load. */
  transcribed: boolean;
  /** The question that it answers; null if there's none. */
  question: string | null;
  /** Newest first. */
  notes: ArchivedEntry['notes'];
}

type JournalTag = ArchivedJournal['tags'][number];

function toViewerEntry(archived: ArchivedEntry, tags: ReadonlyMap<string, JournalTag>): ViewerEntry {
  const { id, title, createdAt, duration, date, notes, original, playable, thumbnail, transcript } = archived;
  return {
    id,
    title,
    createdAt,
    duration,
    day: date,
    date: readDate(date),
    status: 'completed',
    videoStatus: 'ready',
    heldByPlan: false,
    thumbnail: thumbnail ? fileUrl(thumbnail.path) : NO_THUMBNAIL,
    tags: archived.tags.flatMap((tag) => tags.get(tag) ?? []),
    videos: [playable, original].flatMap((file) => file?.path ?? []),
    transcribed: transcript !== null,
    question: archived.question ?? null,
    notes: notes.toSorted((one, other) => other.createdAt.localeCompare(one.createdAt)),
  };
}

/** Prepares what `viewer/data/journal.js` contains. */
export function openJournal({ profile, scope, tags, entries, exportedAt }: ArchivedJournal) {
  const tagsById = new Map(tags.map((tag) => [tag.id, tag]));
  const shown: readonly ViewerEntry[] = entries.map((entry) => toViewerEntry(entry, tagsById)).reverse();
  return {
    /** The owner's first name; empty if they have none. */
    name: profile.firstName.trim(),
    exportedAt,
    /** Whether it has every entry that the journal had. */
    complete: scope.fromYear === null && scope.toYear === null && !scope.selection,
    tags: tags.toSorted((one, other) => one.name.localeCompare(other.name)),
    /** Newest first. */
    entries: shown,
    byId: new Map(shown.map((entry) => [entry.id, entry])),
    /** Years with entries, newest first. */
    years: [...new Set(shown.map(({ date }) => date.year))].sort((one, other) => other - one),
  };
}

/** The archive, ready to show. */
export type Journal = ReturnType<typeof openJournal>;

/** Returns an entry's month as `YYYY-MM`. */
export const monthOf = ({ day }: ViewerEntry): string => day.slice(0, 7);

/** Groups entries by a key, such as their day, in the order of their first entry. */
export function groupEntries(
  entries: readonly ViewerEntry[],
  keyOf: (entry: ViewerEntry) => string,
): Map<string, ViewerEntry[]> {
  const groups = new Map<string, ViewerEntry[]>();
  for (const entry of entries) {
    const group = groups.get(keyOf(entry));
    if (group) group.push(entry);
    else groups.set(keyOf(entry), [entry]);
  }
  return groups;
}

/** Returns the entries with a tag, of a year, or both. */
export const filterEntries = (
  entries: readonly ViewerEntry[],
  { tag, year }: { tag: string | null; year: number | null },
): readonly ViewerEntry[] =>
  tag === null && year === null
    ? entries
    : entries.filter(
        (entry) =>
          (year === null || entry.date.year === year) &&
          (tag === null || entry.tags.some(({ id }) => id === tag)),
      );
