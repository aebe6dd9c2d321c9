import { and, asc, desc, eq, sql } from 'drizzle-orm';
import { anyOf } from '@/db/any-of';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { entryFiles } from '@/db/schema/exports';
import { transcripts } from '@/db/schema/transcripts';
import { selectKnownFiles } from '@/lib/journal/entries/checksums';
import { listed } from '@/lib/journal/entries/queries';
import type { RevisionRow } from '@/lib/journal/transcripts/archive';
import { revisionColumns } from '@/lib/journal/transcripts/revision-words';
import type { ArchivedEntry } from './format';
import { inScope, type Scope } from './scope';

const isReady = sql<boolean>`${entries.videoStatus} = 'ready'`.as('is_ready');

const columns = {
  id: entries.id,
  title: entries.title,
  question: entries.question,
  createdAt: entries.createdAt,
  fileName: entries.fileName,
  contentType: entries.contentType,
  durationMs: entries.durationMs,
  width: entries.width,
  height: entries.height,
  isReady,
  storedOnce: entries.storedOnce,
  thumbnailKey: entries.thumbnailKey,
  transcriptStatus: entries.transcriptStatus,
  language: entries.language,
  tags: sql<string[]>`(
    select coalesce(json_agg(tags.id order by lower(tags.name)), '[]')
    from entry_tags join tags on tags.id = entry_tags.tag_id
    where entry_tags.entry_id = entries.id)`.as('tag_ids'),
  notes: sql<ArchivedEntry['notes']>`(
    select coalesce(json_agg(json_build_object('id', notes.id, 'text', notes.text, 'moment', notes.moment_ms / 1000.0,
      'createdAt', to_char(notes.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      order by notes.created_at, notes.id), '[]')
    from notes where notes.entry_id = entries.id)`.as('notes'),
  revisions: sql<number[]>`(
    select coalesce(json_agg(transcripts.revision order by transcripts.revision), '[]')
    from transcripts where transcripts.entry_id = entries.id)`.as('revisions'),
};

/** Returns the entries that an archive includes, oldest first. Each keeps its place though its date is changed meanwhile. */
export const placesInScope = (userId: string, scope: Scope) =>
  db()
    .select({ id: entries.id, date: entries.date })
    .from(entries)
    .where(inScope(userId, scope))
    .orderBy(asc(entries.date), asc(entries.createdAt), asc(entries.id));

export type Place = Pick<typeof entries.$inferSelect, 'id' | 'date'>;

/** Returns what an archive has of entries, without those that lists don't show any more. */
export async function readEntries(userId: string, places: readonly Place[]) {
  const ids = places.map(({ id }) => id);
  const [rows, latest, known] = await Promise.all([
    db()
      .select(columns)
      .from(entries)
      .where(and(listed(userId), anyOf(entries.id, ids))),
    db()
      .selectDistinctOn([transcripts.entryId])
      .from(transcripts)
      .where(anyOf(transcripts.entryId, ids))
      .orderBy(asc(transcripts.entryId), desc(transcripts.revision)),
    selectKnownFiles(ids),
  ]);
  const found = new Map(rows.map((row) => [row.id, row]));
  const revisions = new Map(latest.map((row) => [row.entryId, row]));
  return places.flatMap(({ id, date }) => {
    const row = found.get(id);
    return row ? [{ ...row, date, latest: revisions.get(id) ?? null, files: known.get(id) ?? {} }] : [];
  });
}

export type EntryRow = Awaited<ReturnType<typeof readEntries>>[number];

/** Yields all revisions of an entry's transcript, oldest first, with one of the earlier ones in memory at a time. */
export async function* revisionsOf({ id, revisions, latest }: EntryRow): AsyncGenerator<RevisionRow> {
  if (!latest) return;
  for (const revision of revisions.filter((one) => one < latest.revision)) {
    const isThis = and(eq(transcripts.entryId, id), eq(transcripts.revision, revision));
    yield* await db().select(revisionColumns).from(transcripts).where(isThis);
  }
  yield latest;
}

/** How many entries without checksums are read at once. */
const BATCH = 50;

/** Returns the ids of entries in scope some of whose files have no checksums yet. @param after an id to go on from */
export async function entriesWithoutChecksums(userId: string, scope: Scope, after: string | null) {
  const has = (name: 'source' | 'video.mp4', only = sql`true`) =>
    sql`exists (select from ${entryFiles} where ${entryFiles.entryId} = ${entries.id}
      and ${entryFiles.name} = ${name} and ${only})`;
  const lacksVideo = sql`${entries.videoStatus} = 'ready' and not ${has('video.mp4')}
    and not ${has('source', eq(entryFiles.playable, true))}`;
  return db()
    .select({ entryId: entries.id, isReady, storedOnce: entries.storedOnce })
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
