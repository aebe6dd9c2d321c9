import { and, eq, sql } from 'drizzle-orm';
import { db, type Transaction } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { uploadParts, uploads } from '@/db/schema/uploads';
import { isEtagOfMd5, type StoredPart } from '@/lib/clients/multipart';
import { md5OfObject } from '@/lib/clients/storage-objects';
import { AppError } from '@/lib/foundation/contract/errors';
import { PART_BYTES } from './contract';

/** The bytes that a part was last signed for. */
export type SignedPart = Omit<typeof uploadParts.$inferSelect, 'entryId'>;

/** Returns the owner's entry, its upload in parts if it has one, and the parts signed for it. @throws AppError `not_found` */
export async function findUpload(userId: string, entryId: string) {
  const rows = await db()
    .select({
      videoStatus: entries.videoStatus,
      contentType: entries.contentType,
      title: entries.title,
      upload: {
        // First, since Drizzle takes a missing row from it.
        entryId: uploads.entryId,
        multipartId: uploads.multipartId,
        etagsAreMd5: uploads.etagsAreMd5,
        size: uploads.size,
      },
      part: { number: uploadParts.number, size: uploadParts.size, md5: uploadParts.md5 },
    })
    .from(entries)
    .leftJoin(uploads, eq(uploads.entryId, entries.id))
    .leftJoin(uploadParts, eq(uploadParts.entryId, entries.id))
    .where(ownedEntry(userId, entryId))
    .orderBy(uploadParts.number);
  const [first] = rows;
  if (!first) throw new AppError('not_found');
  const { part: _, ...found } = first;
  return { ...found, signed: rows.flatMap(({ part }): SignedPart[] => (part ? [part] : [])) };
}

type FoundUpload = Awaited<ReturnType<typeof findUpload>>;

/** Returns the owner's upload in parts. @throws AppError `not_found` */
export async function findPartUpload(userId: string, entryId: string) {
  const found = await findUpload(userId, entryId);
  if (!found.upload) throw new AppError('not_found');
  return { ...found, upload: found.upload };
}

/** Returns the bytes of a file's part; all but the last are equal. 0 or less past the end. */
export function partSize(number: number, fileSize: number): number {
  return Math.min(PART_BYTES, fileSize - (number - 1) * PART_BYTES);
}

/** Returns how many parts a file of so many bytes has. */
export const countParts = (fileSize: number) => Math.ceil(fileSize / PART_BYTES);

const isSame = (one: SignedPart, other: SignedPart) => one.size === other.size && one.md5 === other.md5;

/**
 * Remembers the bytes that parts are signed for, under the upload's lock.
 * @param begun whether the multipart upload is new, to be used if the upload has none
 * @returns `replaced` if the upload has another multipart upload by now, `changed` if storage may hold other bytes of a
 * part and couldn't tell them apart; nothing is remembered then
 * @throws AppError `not_found`; `conflict` if the upload has ended
 */
export async function rememberParts(
  userId: string,
  entryId: string,
  { multipartId, begun, parts }: { multipartId: string; begun: boolean; parts: readonly SignedPart[] },
): Promise<'remembered' | 'replaced' | 'changed'> {
  return db().transaction(async (tx) => {
    const [upload] = await tx
      .select({
        multipartId: uploads.multipartId,
        etagsAreMd5: uploads.etagsAreMd5,
        videoStatus: entries.videoStatus,
      })
      .from(uploads)
      .innerJoin(entries, eq(entries.id, uploads.entryId))
      .where(ownedEntry(userId, entryId))
      .for('update', { of: uploads });
    if (!upload) throw new AppError('not_found');
    if (upload.videoStatus !== 'uploading') throw new AppError('conflict');
    const ofUpload = eq(uploadParts.entryId, entryId);
    if (upload.multipartId === null && begun) {
      await tx.delete(uploadParts).where(ofUpload);
      await tx
        .update(uploads)
        .set({ multipartId, etagsAreMd5: false })
        .where(and(eq(uploads.entryId, entryId), eq(uploads.userId, userId)));
    } else if (upload.multipartId !== multipartId) {
      return 'replaced';
    } else if (!upload.etagsAreMd5) {
      const signed = new Map(
        (await tx.select().from(uploadParts).where(ofUpload)).map((part) => [part.number, part]),
      );
      if (parts.some((part) => !isSame(signed.get(part.number) ?? part, part))) return 'changed';
    }
    await tx
      .insert(uploadParts)
      .values(parts.map((part) => ({ entryId, ...part })))
      .onConflictDoUpdate({
        target: [uploadParts.entryId, uploadParts.number],
        set: { size: sql`excluded.size`, md5: sql`excluded.md5` },
      });
    return 'remembered';
  });
}

/**
 * Remembers the bytes of a video that's sent in one piece of at most one part, unless it's being sent in parts. The
 * transaction has already written the upload's row.
 */
export async function rememberWhole(
  tx: Transaction,
  entryId: string,
  whole: Omit<SignedPart, 'number'>,
): Promise<void> {
  const [upload] = await tx
    .select({ multipartId: uploads.multipartId })
    .from(uploads)
    .where(eq(uploads.entryId, entryId));
  if (upload?.multipartId !== null) return;
  await tx
    .insert(uploadParts)
    .values({ entryId, number: 1, ...whole })
    .onConflictDoUpdate({ target: [uploadParts.entryId, uploadParts.number], set: whole });
}

/**
 * Returns whether an object that was sent in one piece has the bytes it was signed for, if they're remembered. Storage has
 * checked them, but some servers ignore the MD5 of a form. Reads the object if its ETag isn't its MD5.
 */
export async function hasSignedBytes(
  key: string,
  object: { size: number; etag: string },
  { upload, signed }: Pick<FoundUpload, 'signed' | 'upload'>,
): Promise<boolean> {
  const [whole] = signed;
  // Storage has checked parts one by one.
  if (!whole || upload?.multipartId !== null) return true;
  if (object.size !== whole.size) return false;
  if (isEtagOfMd5(object, whole.md5)) return true;
  const read = await md5OfObject(key);
  return read !== null && isEtagOfMd5({ etag: read }, whole.md5);
}

const isMultipart = (userId: string, entryId: string, multipartId: string) =>
  and(eq(uploads.entryId, entryId), eq(uploads.userId, userId), eq(uploads.multipartId, multipartId));

/** Forgets a multipart upload and its parts, so that the next part starts another. Parallel calls have no effect. */
export async function forgetMultipart(userId: string, entryId: string, multipartId: string): Promise<void> {
  await db().transaction(async (tx) => {
    const forgotten = await tx
      .update(uploads)
      .set({ multipartId: null, etagsAreMd5: false })
      .where(isMultipart(userId, entryId, multipartId))
      .returning({ entryId: uploads.entryId });
    if (forgotten.length > 0) await tx.delete(uploadParts).where(eq(uploadParts.entryId, entryId));
  });
}

/** Remembers that the ETags of a multipart upload's parts are their MD5s. */
export async function markEtagsAsMd5(userId: string, entryId: string, multipartId: string): Promise<void> {
  await db()
    .update(uploads)
    .set({ etagsAreMd5: true })
    .where(isMultipart(userId, entryId, multipartId));
}

/** A signed part that storage has. */
type ReceivedPart = SignedPart & StoredPart;

/** Returns the signed parts that storage has, in order. */
export function receivedParts(
  stored: readonly StoredPart[],
  { signed, upload }: Pick<FoundUpload, 'signed' | 'upload'>,
): ReceivedPart[] {
  return signed.flatMap(({ number, size, md5 }): ReceivedPart[] => {
    const candidates = stored.filter((part) => part.number === number && part.size === size);
    // A match is certain. Without one, the last that was listed is right unless ETags are known to be MD5s.
    const exact = candidates.find((part) => isEtagOfMd5(part, md5));
    const received = exact ?? (upload?.etagsAreMd5 ? undefined : candidates.at(-1));
    return received ? [{ ...received, md5 }] : [];
  });
}

/** Returns whether a stored part shows that storage's ETags are MD5s. */
export function areEtagsMd5(stored: readonly StoredPart[], signed: readonly SignedPart[]): boolean {
  return stored.some((part) =>
    signed.some(({ number, md5 }) => number === part.number && isEtagOfMd5(part, md5)),
  );
}
