import { and, eq, isNull, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { db } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { uploads } from '@/db/schema/uploads';
import { AppError } from '@/lib/contract/errors';
import { entryKey } from '@/lib/entries/keys';
import { assertBytesAvailable, lockPlan } from '@/lib/plans/service';
import {
  abortMultipart,
  beginMultipart,
  completeMultipart,
  listParts,
  presignPart,
  type StoredPart,
} from '@/lib/services/multipart';
import { headObject } from '@/lib/services/storage';
import {
  type finishUpload as finishContract,
  MAX_FILE_BYTES,
  PART_BYTES,
  type signParts as signContract,
  type UploadState,
} from './contract';
import { markUploaded, TOO_LARGE } from './service';

/** Long enough for one part: the browser asks for each URL right before it sends the part. */
const PART_URL_SECONDS = 3600;

/** Returns the owner's upload in parts. @throws AppError `not_found` */
async function findUpload(userId: string, entryId: string) {
  const [found] = await db()
    .select({
      entryId: uploads.entryId,
      multipartId: uploads.multipartId,
      size: uploads.size,
      videoStatus: entries.videoStatus,
      contentType: entries.contentType,
    })
    .from(uploads)
    .innerJoin(entries, eq(entries.id, uploads.entryId))
    .where(ownedEntry(userId, entryId));
  if (!found) throw new AppError('not_found');
  return found;
}

/** Returns storage's id of the upload, and starts one if there is none. Parallel calls return the same id. */
async function ensureMultipartId(
  upload: Awaited<ReturnType<typeof findUpload>>,
  key: string,
): Promise<string> {
  if (upload.multipartId) return upload.multipartId;
  const { entryId } = upload;
  const begun = await beginMultipart(key, upload.contentType);
  const [first] = await db()
    .update(uploads)
    .set({ multipartId: begun })
    .where(and(eq(uploads.entryId, entryId), isNull(uploads.multipartId)))
    .returning({ entryId: uploads.entryId });
  if (first) return begun;
  await abortMultipart(key, begun);
  const [other] = await db()
    .select({ id: uploads.multipartId })
    .from(uploads)
    .where(eq(uploads.entryId, entryId));
  if (!other?.id) throw new AppError('not_found');
  return other.id;
}

/** Reserves space for a recording that grows. Repeating a part reserves nothing. */
async function reserveGrowth(userId: string, entryId: string, bytes: number): Promise<void> {
  await db().transaction(async (tx) => {
    await lockPlan(tx, userId);
    const [entry] = await tx
      .select({ bytes: entries.bytes })
      .from(entries)
      .where(and(ownedEntry(userId, entryId), eq(entries.videoStatus, 'uploading')));
    if (!entry || bytes <= entry.bytes) return;
    await assertBytesAvailable(tx, userId, bytes - entry.bytes);
    await tx.update(entries).set({ bytes }).where(ownedEntry(userId, entryId));
  });
}

/** Returns the bytes of a file's part; all but the last are equal. 0 or less past the end. */
function partSize(number: number, fileSize: number): number {
  return Math.min(PART_BYTES, fileSize - (number - 1) * PART_BYTES);
}

/**
 * Returns signed URLs to PUT parts to, valid for an hour, each for exactly the bytes declared.
 * @throws AppError `not_found`; `conflict` if the upload has ended; `validation_failed` if a part doesn't have the size
 * that it has in the file; `too_large`, `quota_reached`
 */
export async function signParts(
  userId: string,
  entryId: string,
  { parts }: z.output<typeof signContract.body>,
): Promise<z.output<typeof signContract.response>> {
  const upload = await findUpload(userId, entryId);
  if (upload.videoStatus !== 'uploading') throw new AppError('conflict');
  const ends = parts.map(({ number, size }) => (number - 1) * PART_BYTES + size);
  const end = Math.max(0, ...ends);
  if (end > MAX_FILE_BYTES) throw new AppError('too_large', { message: TOO_LARGE });
  const { size } = upload;
  if (size === null) await reserveGrowth(userId, entryId, end);
  else if (parts.some((part) => part.size !== partSize(part.number, size))) {
    throw new AppError('validation_failed', {
      fields: { parts: 'These parts don’t match the file. Upload it again.' },
    });
  }
  await db().update(uploads).set({ activeAt: sql`now()` }).where(eq(uploads.entryId, entryId));
  const key = entryKey(userId, entryId, 'source');
  const multipartId = parts.length > 0 ? await ensureMultipartId(upload, key) : '';
  const signed = parts.map(async (part) => ({
    number: part.number,
    url: await presignPart({ key, multipartId, seconds: PART_URL_SECONDS }, part),
  }));
  return { parts: await Promise.all(signed) };
}

/**
 * Returns what storage has of an upload. If storage lost the upload, it starts over with no parts.
 * @throws AppError `not_found`
 */
export async function uploadState(userId: string, entryId: string): Promise<UploadState> {
  const [entry] = await db()
    .select({ videoStatus: entries.videoStatus, multipartId: uploads.multipartId, size: uploads.size })
    .from(entries)
    .leftJoin(uploads, eq(uploads.entryId, entries.id))
    .where(ownedEntry(userId, entryId));
  if (!entry) throw new AppError('not_found');
  const key = entryKey(userId, entryId, 'source');
  const { multipartId, size } = entry;
  const stored = multipartId && entry.videoStatus === 'uploading' ? await listParts(key, multipartId) : null;
  if (!stored) {
    const object = await headObject(key);
    if (object || entry.videoStatus !== 'uploading') {
      return { complete: true, size: object?.size ?? null, etag: object?.etag ?? null, parts: [] };
    }
  }
  if (!stored && multipartId) {
    await db()
      .update(uploads)
      .set({ multipartId: null })
      .where(and(eq(uploads.entryId, entryId), eq(uploads.multipartId, multipartId)));
  }
  const parts = (stored ?? []).map(({ number, size, md5 }) => ({ number, size, md5 }));
  return { complete: false, size, etag: null, parts };
}

/** Returns whether these are all the parts of a file, in order, with the right sizes and the declared MD5s. */
function hasEveryPart(parts: readonly StoredPart[], fileSize: number, declared?: readonly string[]): boolean {
  const count = Math.ceil(fileSize / PART_BYTES);
  if (parts.length !== count || (declared && declared.length !== count)) return false;
  return parts.every((part, index) => {
    const sameMd5 = !declared || part.md5 === null || part.md5 === declared[index];
    return part.number === index + 1 && part.size === partSize(part.number, fileSize) && sameMd5;
  });
}

/**
 * Assembles the parts into an object if all have arrived.
 * @param declared the MD5 of each part; without it, only the sizes are compared
 * @returns whether storage has an object of that size now
 */
export async function assembleParts(
  userId: string,
  entryId: string,
  size: number,
  declared?: readonly string[],
): Promise<boolean> {
  const { multipartId } = await findUpload(userId, entryId);
  const key = entryKey(userId, entryId, 'source');
  if (multipartId && !(await headObject(key))) {
    const count = Math.ceil(size / PART_BYTES);
    const parts = (await listParts(key, multipartId))?.filter((part) => part.number <= count);
    if (parts && !hasEveryPart(parts, size, declared)) return false;
    if (parts) await completeMultipart(key, multipartId, parts);
  }
  return (await headObject(key))?.size === size;
}

/**
 * Assembles the parts if storage has all of them as declared, and starts the processing.
 * @throws AppError `not_found`, `upload_missing`
 */
export async function finishUpload(
  userId: string,
  entryId: string,
  { parts, ...details }: z.output<typeof finishContract.body>,
): Promise<z.output<typeof finishContract.response>> {
  const { videoStatus } = await findUpload(userId, entryId);
  if (videoStatus === 'uploading' && !(await assembleParts(userId, entryId, details.size, parts))) {
    throw new AppError('upload_missing');
  }
  return markUploaded(userId, entryId, details);
}
