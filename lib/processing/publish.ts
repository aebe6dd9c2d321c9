import { and, eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { entryKey, entryPrefix } from '@/lib/entries/keys';
import { log } from '@/lib/log';
import { abortMultiparts } from '@/lib/services/multipart';
import { deletePrefix, uploadObject } from '@/lib/services/storage';
import type { EntryRef } from './workspace';

/** A file that a step has made, and the object it becomes. */
export interface OutputFile {
  name: Parameters<typeof entryKey>[2];
  file: string;
  contentType: string;
}

/** Returns whether the entry is neither in the trash nor purged. */
export async function isActiveEntry({ userId, entryId }: EntryRef): Promise<boolean> {
  const rows = await db().select({ id: entries.id }).from(entries).where(ownedEntry(userId, entryId));
  return rows.length > 0;
}

/** Changes the row of a live entry. @returns false when the entry is in the trash or purged */
export async function updateActiveEntry(
  { userId, entryId }: EntryRef,
  values: Partial<typeof entries.$inferInsert>,
): Promise<boolean> {
  const changed = await db()
    .update(entries)
    .set(values)
    .where(ownedEntry(userId, entryId))
    .returning({ id: entries.id });
  return changed.length > 0;
}

/**
 * Uploads what a step has made, then records it. The entry may be removed at any moment meanwhile, so nothing stays in
 * storage once it has been purged. An entry in the trash keeps its objects: the step may have overwritten one that the
 * row points to, which a restore needs.
 * @param record writes to the row of a live entry only, and returns whether there was one
 * @returns whether it was recorded
 */
export async function publishFiles(
  entry: EntryRef,
  made: readonly OutputFile[],
  record: () => Promise<boolean>,
): Promise<boolean> {
  try {
    for (const { name, file, contentType } of made) {
      await uploadObject(file, entryKey(entry.userId, entry.entryId, name), contentType);
    }
    if (await record()) return true;
  } catch (error) {
    await deleteObjectsIfPurged(entry).catch((err: unknown) =>
      log.warn({ err, entryId: entry.entryId }, 'publish: could not check whether the entry was purged'),
    );
    throw error;
  }
  await deleteObjectsIfPurged(entry);
  return false;
}

/** Deletes everything of an entry in storage if its row is gone. */
export async function deleteObjectsIfPurged(entry: EntryRef): Promise<void> {
  const { userId, entryId } = entry;
  const rows = await db()
    .select({ id: entries.id })
    .from(entries)
    .where(and(eq(entries.id, entryId), eq(entries.userId, userId)));
  if (rows.length === 0) await purgeObjects(entry);
}

/** Deletes everything an entry has in storage, including parts of an upload. @returns how many objects there were */
export async function purgeObjects({ entryId, userId }: EntryRef): Promise<number> {
  await abortMultiparts(entryKey(userId, entryId, 'source'));
  return deletePrefix(entryPrefix(userId, entryId));
}
