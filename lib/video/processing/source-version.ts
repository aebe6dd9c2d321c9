import { and, eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { uploadParts } from '@/db/schema/uploads';
import { headObject, md5OfObject } from '@/lib/clients/storage-objects';
import { entryKey } from '@/lib/journal/entries/keys';
import type { EntryRef } from '@/lib/messaging/outbox/entry-jobs';

/** Larger files aren't read, since that would take long. In bytes, as large as what browsers send in one piece. */
const MAX_READ_BYTES = 8_388_608;

/**
 * Compares an uploaded file whose ETag has changed with what was completed. In buckets encrypted with KMS keys, the same
 * bytes have another ETag each time they're sent.
 * @returns `unknown` if nothing tells
 */
async function compareWithCompleted(
  { userId, entryId }: EntryRef,
  object: { size: number; etag: string },
): Promise<'same' | 'other' | 'unknown'> {
  const [completed] = await db()
    .select({ bytes: entries.bytes, md5: uploadParts.md5 })
    .from(entries)
    // The first part of a file this small is all of it.
    .leftJoin(uploadParts, and(eq(uploadParts.entryId, entries.id), eq(uploadParts.number, 1)))
    .where(and(eq(entries.id, entryId), eq(entries.userId, userId)));
  if (completed?.bytes !== object.size) return 'other';
  if (object.size > MAX_READ_BYTES) return 'unknown';
  const md5 = await md5OfObject(entryKey(userId, entryId, 'source'));
  if (completed.md5 !== null) {
    return md5 === Buffer.from(completed.md5, 'base64').toString('hex') ? 'same' : 'other';
  }
  // Where ETags are MD5s, another one means other bytes.
  return md5 === object.etag ? 'other' : 'unknown';
}

/**
 * Accepts another version of an uploaded file than the one that was completed if it has the same bytes: later steps read
 * this one.
 * @param acceptsUnknown whether it's enough that nothing tells the bytes apart
 * @returns whether it was accepted
 */
export async function acceptVersion(entry: EntryRef, acceptsUnknown = false): Promise<boolean> {
  const object = await headObject(entryKey(entry.userId, entry.entryId, 'source'));
  if (!object) return false;
  const version = await compareWithCompleted(entry, object);
  if (version === 'other' || (version === 'unknown' && !acceptsUnknown)) return false;
  await db()
    .update(entries)
    .set({ sourceEtag: object.etag })
    .where(and(eq(entries.id, entry.entryId), eq(entries.userId, entry.userId)));
  return true;
}
