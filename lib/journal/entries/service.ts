import { and, sql } from 'drizzle-orm';
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types';
import { db } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { preparedStatement } from '@/db/prepared';
import { entries } from '@/db/schema/entries';
import { presignDownload } from '@/lib/clients/storage';
import { AppError } from '@/lib/foundation/contract/errors';
import type { Note } from '@/lib/journal/notes/contract';
import { presentTranscription, transcriptionColumns } from '@/lib/journal/transcripts/service';
import type { Entry, EntrySummary } from './contract';
import { type Cursor, readEntryCursor, writeEntryCursor } from './cursor';
import { entryKey } from './keys';
import { countEntries } from './months';
import { listed, newestFirst, placeAt, placeOfEntry, tagsOf } from './queries';
import { type CalendarDate, readDate, toIso } from './shared/calendar';

// These name `entries.id` in plain SQL: Drizzle drops the table name when a statement has only one table, and inside
// the subselect `id` would be the inner table's.
const tagsOfEntry = tagsOf(sql`entries.id`).as('tags');

const notesOfEntry = sql<Note[]>`(
  select coalesce(json_agg(json_build_object('id', notes.id, 'text', notes.text,
    'moment', notes.moment_ms / 1000.0,
    'createdAt', to_char(notes.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    order by notes.created_at desc, notes.id desc), '[]')
  from notes where notes.entry_id = entries.id)`.as('notes');

/** The columns that {@link presentSummary} needs, for a select or a RETURNING. */
export const summaryColumns = {
  id: entries.id,
  title: entries.title,
  date: entries.date,
  createdAt: entries.createdAt,
  durationMs: entries.durationMs,
  heldByPlan: entries.heldByPlan,
  videoStatus: entries.videoStatus,
  videoKey: entries.videoKey,
  videoVersion: entries.videoVersion,
  thumbnailKey: entries.thumbnailKey,
  tags: tagsOfEntry,
};

type SummaryRow = SelectResultFields<typeof summaryColumns>;

/** The columns that {@link presentEntry} needs, for a select or a RETURNING. */
const detailColumns = {
  ...summaryColumns,
  videoError: entries.videoError,
  soundError: entries.soundError,
  question: entries.question,
  smallVersion: entries.smallVersion,
  ...transcriptionColumns,
  notes: notesOfEntry,
};

type DetailRow = SelectResultFields<typeof detailColumns>;

function statusOf(row: Pick<SummaryRow, 'videoKey' | 'videoStatus'>): EntrySummary['status'] {
  if (row.videoKey) return 'completed';
  return row.videoStatus === 'failed' ? 'failed' : 'processing';
}

/** Returns the URL of an entry's thumbnail; empty without one. */
export const thumbnailUrl = (entryId: string, isThere: boolean): string =>
  isThere ? `/api/v1/entry/${entryId}/thumbnail` : '';

/** Returns an entry as lists show it. */
export function presentSummary(row: SummaryRow): EntrySummary {
  return {
    id: row.id,
    title: row.title,
    createdAt: row.createdAt.toISOString(),
    thumbnail: thumbnailUrl(row.id, row.thumbnailKey !== null),
    date: readDate(row.date),
    status: statusOf(row),
    videoStatus: row.videoStatus,
    duration: row.durationMs === null ? null : row.durationMs / 1000,
    heldByPlan: row.heldByPlan,
    tags: row.tags,
  };
}

/** Returns the URL of an entry's video; empty while there's nothing to play. */
export function videoUrlOf({
  id,
  videoKey,
  videoVersion,
}: Pick<SummaryRow, 'id' | 'videoKey' | 'videoVersion'>): string {
  // The URL changes with the file behind it, so that a player never mixes one with the next.
  const version = [videoKey?.split('/').at(-1), videoVersion].filter(Boolean).join('-');
  return videoKey ? `/api/v1/entry/${id}/video?v=${version}` : '';
}

/** Returns the URL of the small version of an entry's video; empty if there's none. */
const smallVideoUrlOf = ({ id, videoKey, smallVersion }: DetailRow): string =>
  videoKey && smallVersion ? `/api/v1/entry/${id}/video/small?v=${smallVersion}` : '';

/** Returns a whole entry as the API shows it. */
function presentEntry(row: DetailRow): Entry {
  return {
    ...presentSummary(row),
    videoUrl: videoUrlOf(row),
    smallVideoUrl: smallVideoUrlOf(row),
    videoError: row.videoError,
    soundError: row.soundError,
    question: row.question,
    notes: row.notes,
    transcription: presentTranscription(row),
  };
}

const entryStatement = preparedStatement((connection) =>
  connection
    .select(detailColumns)
    .from(entries)
    .where(ownedEntry(sql.placeholder('userId'), sql.placeholder('entryId')))
    .prepare('entry'),
);

/** Returns an entry with its notes, tags, and transcript. @throws AppError `not_found` */
export async function getEntry(userId: string, entryId: string): Promise<Entry> {
  const [row] = await entryStatement().execute({ userId, entryId });
  if (!row) throw new AppError('not_found');
  return presentEntry(row);
}

/** Updates the title, date, or question and returns the whole entry, in one statement. @throws AppError `not_found` */
export async function updateEntry(
  userId: string,
  entryId: string,
  {
    title,
    date,
    question,
  }: { title?: string | undefined; date?: CalendarDate | undefined; question?: string | null | undefined },
): Promise<Entry> {
  const [row] = await db()
    .update(entries)
    .set({ title, date: date && toIso(date), question })
    .where(ownedEntry(userId, entryId))
    .returning(detailColumns);
  if (!row) throw new AppError('not_found');
  return presentEntry(row);
}

/** The place before that of the newest entry. */
const START: Cursor = { date: 'infinity', createdAt: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

const summariesStatement = preparedStatement((connection) =>
  connection
    .select(summaryColumns)
    .from(entries)
    .where(
      and(
        listed(sql.placeholder('userId')),
        sql`(${placeOfEntry}) < ${placeAt({
          date: sql.placeholder('date'),
          createdAt: sql.placeholder('createdAt'),
          id: sql.placeholder('id'),
        })}`,
      ),
    )
    .orderBy(...newestFirst)
    .limit(sql.placeholder('limit'))
    .prepare('summaries'),
);

/** Returns the newest entries in the list, or those after a cursor. */
export const selectSummaries = (
  userId: string,
  { limit, after = START }: { limit: number; after?: Cursor },
) => summariesStatement().execute({ userId, limit, ...after });

/** The most entries that `GET /entries` returns without a page size. */
const MAX_UNPAGED_ENTRIES = 10_000;

/** Returns a page of the list; `next` is the cursor of the next one, null at the end. */
export async function listEntries(
  userId: string,
  options: { limit?: number | undefined; cursor?: string | undefined },
): Promise<{ entries: EntrySummary[]; next: string | null; total: number }> {
  const limit = options.limit ?? MAX_UNPAGED_ENTRIES;
  const after = options.cursor ? { after: readEntryCursor(options.cursor) } : {};
  const [rows, total] = await Promise.all([
    selectSummaries(userId, { limit: limit + 1, ...after }),
    countEntries(userId),
  ]);
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const next = last ? writeEntryCursor(last) : null;
  return { entries: shown.map(presentSummary), next, total };
}

/**
 * Returns a signed URL for an entry's video, its small version, or its thumbnail.
 * @returns the URL, and how many seconds it stays the same
 * @throws AppError `not_found`, also if the entry has no such file yet
 */
export async function mediaAddress(
  userId: string,
  entryId: string,
  kind: 'video' | 'small' | 'thumbnail',
): Promise<{ url: string; sameForSeconds: number }> {
  const [row] = await db()
    .select({
      video: entries.videoKey,
      thumbnail: entries.thumbnailKey,
      videoVersion: entries.videoVersion,
      smallVersion: entries.smallVersion,
    })
    .from(entries)
    .where(ownedEntry(userId, entryId));
  const small = row?.video && row.smallVersion && entryKey(userId, entryId, 'small.mp4');
  const key = kind === 'small' ? small : row?.[kind];
  if (!row || !key) throw new AppError('not_found');
  // Storage's URL has to change, too: a browser's cache goes by it. Storage signs and repeats the name.
  const version = { video: row.videoVersion, small: row.smallVersion, thumbnail: null }[kind];
  const options = version ? { disposition: `inline; filename="${kind}-${version}.mp4"` } : {};
  const type = kind === 'thumbnail' ? 'image/jpeg' : key.endsWith('.webm') ? 'video/webm' : 'video/mp4';
  return presignDownload(key, type, options);
}
