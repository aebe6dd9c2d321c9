import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { entries, type StoredWord } from '@/db/schema/entries';
import type { Note } from '@/lib/notes/contract';
import type { Tag } from '@/lib/tags/contract';

// Spelled out, because Drizzle leaves the table's name out of the columns of a select from one table: inside a
// subselect `id` would then be the inner table's.
const tagsOfEntry = sql<Tag[]>`(
  select coalesce(json_agg(json_build_object('id', tags.id, 'name', tags.name, 'color', tags.color)
    order by lower(tags.name)), '[]')
  from entry_tags join tags on tags.id = entry_tags.tag_id
  where entry_tags.entry_id = entries.id)`.as('tags');

const notesOfEntry = sql<Note[]>`(
  select coalesce(json_agg(json_build_object('id', notes.id, 'text', notes.text,
    'moment', notes.moment_ms / 1000.0,
    'createdAt', to_char(notes.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    order by notes.created_at desc, notes.id desc), '[]')
  from notes where notes.entry_id = entries.id)`.as('notes');

/** The latest state of the words. */
interface CurrentTranscript {
  revision: number;
  words: StoredWord[];
  engine: string | null;
}

const currentTranscript = sql<CurrentTranscript | null>`(
  select json_build_object('revision', transcripts.revision, 'words', transcripts.words,
    'engine', transcripts.engine)
  from transcripts where transcripts.entry_id = entries.id
  order by transcripts.revision desc limit 1)`.as('transcript');

/** What {@link SummaryRow} is made of. */
export const summaryColumns = {
  id: entries.id,
  userId: entries.userId,
  title: entries.title,
  date: entries.date,
  createdAt: entries.createdAt,
  durationMs: entries.durationMs,
  heldByPlan: entries.heldByPlan,
  videoStatus: entries.videoStatus,
  videoKey: entries.videoKey,
  thumbnailKey: entries.thumbnailKey,
  tags: tagsOfEntry,
};

const detailColumns = {
  ...summaryColumns,
  videoError: entries.videoError,
  transcriptStatus: entries.transcriptStatus,
  transcriptError: entries.transcriptError,
  language: entries.language,
  notes: notesOfEntry,
  transcript: currentTranscript,
};

/** The owner's, not in the trash; the condition of everything that reads or changes one entry. */
export function ownedEntry(userId: string, entryId: string): SQL | undefined {
  return and(eq(entries.id, entryId), eq(entries.userId, userId), isNull(entries.trashedAt));
}

/**
 * Those that lists show: sent at least, and not in the trash. In so many words, as the index `entries_newest` has
 * them: with a parameter among them it could not be used.
 */
export const listed = (userId: string) =>
  and(
    eq(entries.userId, userId),
    sql`${entries.trashedAt} is null and ${entries.videoStatus} <> 'uploading'`,
  );

export const newestFirst = [desc(entries.date), desc(entries.createdAt), desc(entries.id)];

/** Where a page of the list begins: after this entry. */
interface Cursor {
  date: string;
  createdAt: string;
  id: string;
}

export function selectSummaries(userId: string, page: { limit: number; after?: Cursor }) {
  const after = page.after
    ? sql`(${entries.date}, ${entries.createdAt}, ${entries.id}) < (${page.after.date}::date, ${page.after.createdAt}::timestamptz, ${page.after.id}::uuid)`
    : undefined;
  return db()
    .select(summaryColumns)
    .from(entries)
    .where(and(listed(userId), after))
    .orderBy(...newestFirst)
    .limit(page.limit)
    .prepare('summaries')
    .execute();
}

export type SummaryRow = Awaited<ReturnType<typeof selectSummaries>>[number];

export async function selectDetail(userId: string, entryId: string) {
  const [row] = await db()
    .select(detailColumns)
    .from(entries)
    .where(ownedEntry(userId, entryId))
    .prepare('entry')
    .execute();
  return row;
}

export type DetailRow = NonNullable<Awaited<ReturnType<typeof selectDetail>>>;
