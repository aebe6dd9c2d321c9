import { sql } from 'drizzle-orm';
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types';
import { entries } from '@/db/schema/entries';
import type { Note } from '@/lib/notes/contract';
import type { Tag } from '@/lib/tags/contract';
import { presentTranscription, transcriptionColumns } from '@/lib/transcripts/present';
import { readDate } from './calendar';
import type { Entry, EntrySummary } from './contract';

// These name `entries.id` in plain SQL: Drizzle drops the table name when a statement has only one table, and inside
// the subselect `id` would be the inner table's.
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

/** The columns that {@link presentSummary} needs, for a select or a RETURNING. */
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

type SummaryRow = SelectResultFields<typeof summaryColumns>;

/** The columns that {@link presentEntry} needs, for a select or a RETURNING. */
export const detailColumns = {
  ...summaryColumns,
  videoError: entries.videoError,
  ...transcriptionColumns,
  notes: notesOfEntry,
};

type DetailRow = SelectResultFields<typeof detailColumns>;

function statusOf(row: Pick<SummaryRow, 'videoKey' | 'videoStatus'>): EntrySummary['status'] {
  if (row.videoKey) return 'completed';
  return row.videoStatus === 'failed' ? 'failed' : 'processing';
}

/** Returns an entry as lists show it. */
export function presentSummary(row: SummaryRow): EntrySummary {
  return {
    id: row.id,
    title: row.title,
    createdAt: row.createdAt.toISOString(),
    thumbnail: row.thumbnailKey ? `/api/v1/entry/${row.id}/thumbnail` : '',
    date: readDate(row.date),
    status: statusOf(row),
    duration: row.durationMs === null ? null : row.durationMs / 1000,
    heldByPlan: row.heldByPlan,
    tags: row.tags,
  };
}

/** Returns a whole entry as the API answers it. */
export function presentEntry(row: DetailRow): Entry {
  // The URL changes with the file behind it, so that a player never mixes the first copy with the final one.
  const version = row.videoKey?.split('/').at(-1);
  return {
    ...presentSummary(row),
    videoUrl: version ? `/api/v1/entry/${row.id}/video?v=${version}` : '',
    videoStatus: row.videoStatus,
    videoError: row.videoError,
    notes: row.notes,
    transcription: presentTranscription(row),
  };
}
