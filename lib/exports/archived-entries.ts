import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { entries, transcripts } from '@/db/schema/entries';
import { entryFiles } from '@/db/schema/exports';
import type { ArchivedEntry } from './format';
import { inScope, type Scope } from './scope';

const tagIds = sql<string[]>`(
  select coalesce(json_agg(tags.id order by lower(tags.name)), '[]')
  from entry_tags join tags on tags.id = entry_tags.tag_id
  where entry_tags.entry_id = entries.id)`.as('tag_ids');

const notesOfEntry = sql<ArchivedEntry['notes']>`(
  select coalesce(json_agg(json_build_object('id', notes.id, 'text', notes.text, 'moment', notes.moment_ms / 1000.0,
    'createdAt', to_char(notes.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    order by notes.created_at, notes.id), '[]')
  from notes where notes.entry_id = entries.id)`.as('notes');

/** Whether browsers play the upload from a disk; null if that isn't known. */
const sourcePlays = sql<boolean | null>`(select ${entryFiles.playable} from ${entryFiles}
  where ${entryFiles.entryId} = entries.id and ${entryFiles.name} = 'source')`.as('source_plays');

const columns = {
  id: entries.id,
  title: entries.title,
  date: entries.date,
  createdAt: entries.createdAt,
  fileName: entries.fileName,
  contentType: entries.contentType,
  durationMs: entries.durationMs,
  width: entries.width,
  height: entries.height,
  isReady: sql<boolean>`${entries.videoStatus} = 'ready'`.as('is_ready'),
  thumbnailKey: entries.thumbnailKey,
  transcriptStatus: entries.transcriptStatus,
  language: entries.language,
  tags: tagIds,
  notes: notesOfEntry,
  sourcePlays,
};

const BATCH = 50;

/** Yields what an archive includes, oldest first, a few at a time. */
export async function* entriesInScope(userId: string, scope: Scope) {
  let after: { date: string; createdAt: Date; id: string } | undefined;
  for (;;) {
    const isAfter = after
      ? sql`(${entries.date}, ${entries.createdAt}, ${entries.id})
        > (${after.date}::date, ${after.createdAt.toISOString()}::timestamptz, ${after.id}::uuid)`
      : undefined;
    const rows = await db()
      .select(columns)
      .from(entries)
      .where(and(inScope(userId, scope), isAfter))
      .orderBy(asc(entries.date), asc(entries.createdAt), asc(entries.id))
      .limit(BATCH);
    const words = await transcriptsOf(rows.map(({ id }) => id));
    yield rows.map((row) => ({ ...row, revisions: words.get(row.id) ?? [] }));
    after = rows.at(-1);
    if (rows.length < BATCH) return;
  }
}

export type EntryRow =
  Awaited<ReturnType<typeof entriesInScope>> extends AsyncGenerator<(infer Row)[]> ? Row : never;

/** Returns entries' transcripts with all revisions, oldest first. */
async function transcriptsOf(entryIds: string[]) {
  const rows =
    entryIds.length === 0
      ? []
      : await db()
          .select()
          .from(transcripts)
          .where(inArray(transcripts.entryId, entryIds))
          .orderBy(asc(transcripts.entryId), asc(transcripts.revision));
  const found = new Map<string, typeof rows>();
  for (const row of rows) found.set(row.entryId, [...(found.get(row.entryId) ?? []), row]);
  return found;
}

/** Returns the ids of entries in scope some of whose files have no checksums yet. @param after an id to go on from */
export async function entriesWithoutChecksums(userId: string, scope: Scope, after: string | null) {
  const has = (name: 'source' | 'video.mp4', only = sql`true`) =>
    sql`exists (select from ${entryFiles} where ${entryFiles.entryId} = ${entries.id}
      and ${entryFiles.name} = ${name} and ${only})`;
  const lacksVideo = sql`${entries.videoStatus} = 'ready' and not ${has('video.mp4')}
    and not ${has('source', eq(entryFiles.playable, true))}`;
  return db()
    .select({ entryId: entries.id, isReady: columns.isReady, bytes: entries.bytes })
    .from(entries)
    .where(
      and(
        inScope(userId, scope),
        sql`(not ${has('source')} or ${lacksVideo})`,
        after === null ? undefined : sql`${entries.id} > ${after}`,
      ),
    )
    .orderBy(asc(entries.id))
    .limit(BATCH);
}
