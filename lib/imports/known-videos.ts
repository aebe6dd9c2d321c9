import { and, eq, isNull, sql } from 'drizzle-orm';
import { type Database, db, type Transaction } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { entryFiles } from '@/db/schema/exports';
import { importedEntries } from '@/db/schema/imports';

/** What an archive says about an entry's video, by which it's recognized. */
interface ArchivedVideo {
  /** The entry's id in the archive. */
  id: string;
  sha256: string;
  /** `YYYY-MM-DD` */
  date: string;
  /** How many entries of the archive before this one have the same video and date. */
  occurrence: number;
}

/** An entry of the journal, outside the trash, whose video is known by its checksum. */
interface KnownVideo {
  entryId: string;
  date: string;
  isUploading: boolean;
  sha256: string;
  /** The date that it was imported with, and the checksum of the rest; null if it wasn't imported. */
  importedDate: string | null;
  content: string | null;
}

/**
 * Returns the account's entries that have one of these videos. The checksum is the real one, once it has been computed,
 * and until then what the browser claimed when it was imported.
 */
export async function selectKnownVideos(
  userId: string,
  checksums: readonly string[],
  tx: Database | Transaction = db(),
): Promise<KnownVideo[]> {
  const wanted = sql`(select jsonb_array_elements_text(${JSON.stringify(checksums)}::jsonb))`;
  const sha256 = sql<string>`coalesce(${entryFiles.sha256}, ${importedEntries.sha256})`;
  return (
    tx
      .select({
        entryId: entries.id,
        date: entries.date,
        isUploading: sql<boolean>`${entries.videoStatus} = 'uploading'`,
        sha256,
        importedDate: importedEntries.date,
        content: importedEntries.content,
      })
      .from(entries)
      .leftJoin(entryFiles, and(eq(entryFiles.entryId, entries.id), eq(entryFiles.name, 'source')))
      .leftJoin(importedEntries, eq(importedEntries.entryId, entries.id))
      .where(
        and(
          eq(entries.userId, userId),
          isNull(entries.trashedAt),
          sql`${entries.id} in (
          select entry_id from entry_files where sha256 in ${wanted}
          union select entry_id from imported_entries where sha256 in ${wanted})`,
          sql`${sha256} in ${wanted}`,
        ),
      )
      // Those that are complete first, since an import goes on with the first one that isn't.
      .orderBy(sql`${entries.videoStatus} = 'uploading'`, entries.id)
  );
}

/**
 * Returns the entry that an archived one is, if the journal has it: the same video on the same date. It may have another
 * date by now if it was imported with this one, or if the archive is this journal's own.
 */
export function findKnownVideo(
  known: readonly KnownVideo[],
  archived: ArchivedVideo,
): KnownVideo | undefined {
  const same = known.filter(
    ({ entryId, sha256, date, importedDate }) =>
      sha256 === archived.sha256 &&
      (date === archived.date || importedDate === archived.date || entryId === archived.id),
  );
  return same[archived.occurrence];
}
