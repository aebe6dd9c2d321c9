import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import { anyOf } from '@/db/any-of';
import { type Database, db, type Transaction } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { entryFiles } from '@/db/schema/exports';
import { importedEntries } from '@/db/schema/imported-entries';
import type * as contract from './contract';

const copies = alias(entryFiles, 'copies');

/**
 * Returns the account's entries outside the trash that have one of these videos. The checksum is the real one, once it has
 * been computed, and until then what the browser claimed when it was imported.
 */
export async function selectKnownVideos(
  userId: string,
  checksums: readonly string[],
  tx: Database | Transaction = db(),
) {
  const wanted = sql`(select jsonb_array_elements_text(${JSON.stringify(checksums)}::jsonb))`;
  const sha256 = sql<string | null>`coalesce(${entryFiles.sha256}, ${importedEntries.sha256})`;
  return (
    tx
      .select({
        entryId: entries.id,
        date: entries.date,
        isUploading: sql<boolean>`${entries.videoStatus} = 'uploading'`,
        sha256,
        /** Of the copy that plays, which an archive has if the original is lost; null if it isn't known. */
        copySha256: copies.sha256,
        importId: importedEntries.importId,
        /** The id and the date that it was imported with, and the checksum of the rest; null if it wasn't imported. */
        sourceId: importedEntries.sourceId,
        importedDate: importedEntries.date,
        content: importedEntries.content,
      })
      .from(entries)
      .leftJoin(entryFiles, and(eq(entryFiles.entryId, entries.id), eq(entryFiles.name, 'source')))
      .leftJoin(copies, and(eq(copies.entryId, entries.id), eq(copies.name, 'video.mp4')))
      .leftJoin(importedEntries, eq(importedEntries.entryId, entries.id))
      .where(
        and(
          eq(entries.userId, userId),
          isNull(entries.trashedAt),
          sql`${entries.id} in (
          select entry_id from entry_files where sha256 in ${wanted}
          union select entry_id from imported_entries where sha256 in ${wanted})`,
          sql`(${sha256} in ${wanted} or ${copies.sha256} in ${wanted})`,
        ),
      )
      // Those that are complete first, since an import goes on with the first one that isn't.
      .orderBy(sql`${entries.videoStatus} = 'uploading'`, entries.id)
  );
}

/**
 * Returns the account's entries that have a video, as {@link selectKnownVideos}, and locks those that are still being
 * uploaded, so that they don't arrive meanwhile.
 */
export async function lockKnownVideos(tx: Transaction, userId: string, checksum: string) {
  const known = await selectKnownVideos(userId, [checksum], tx);
  const uploading = known.filter(({ isUploading }) => isUploading).map(({ entryId }) => entryId);
  if (uploading.length === 0) return known;
  await tx
    .select({ id: entries.id })
    .from(entries)
    .where(anyOf(entries.id, uploading))
    .orderBy(asc(entries.id))
    .for('update');
  // Read again, because they may have arrived before they were locked.
  return selectKnownVideos(userId, [checksum], tx);
}

type KnownVideo = Awaited<ReturnType<typeof selectKnownVideos>>[number];

/** Creates a function that removes the first video with a key from a set, and returns it. */
function createTaker(left: Set<KnownVideo>, keysOf: (one: KnownVideo) => (string | null)[]) {
  const byKey = new Map<string | null, KnownVideo[]>();
  // The last one is the first to be taken.
  for (const one of [...left].reverse()) {
    for (const key of keysOf(one)) {
      const found = byKey.get(key);
      if (found) found.push(one);
      else byKey.set(key, [one]);
    }
  }
  return (key: string): KnownVideo | undefined => {
    const found = byKey.get(key) ?? [];
    for (let one = found.pop(); one; one = found.pop()) if (left.delete(one)) return one;
    return undefined;
  };
}

/**
 * Finds the journal's entries that an archive's entries with one video are: those of the same id, and for the others, those
 * of the same date that are left. An entry may have another date by now than the one it was imported with.
 * @param twins the archive's entries with the video, in its order
 * @returns in the same order; undefined for those that the journal doesn't have
 */
export function findKnownVideos(
  known: readonly KnownVideo[],
  video: string,
  twins: z.output<typeof contract.importEntry.body>['twins'],
): (KnownVideo | undefined)[] {
  const left = new Set(known.filter(({ sha256, copySha256 }) => sha256 === video || copySha256 === video));
  const takeById = createTaker(left, ({ entryId, sourceId }) => [entryId, sourceId]);
  const takeByDate = createTaker(left, ({ date, importedDate }) => [date, importedDate]);
  const byId = twins.map(({ id }) => takeById(id));
  return twins.map(({ date }, index) => byId[index] ?? takeByDate(date));
}
