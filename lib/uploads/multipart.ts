import { and, eq, isNull, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { db, type Transaction } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { uploads } from '@/db/schema/uploads';
import { AppError } from '@/lib/contract/errors';
import { latestToday, toIso } from '@/lib/entries/calendar';
import { entryKey } from '@/lib/entries/keys';
import { assertBytesAvailable, checkUploadQuota, lockPlan } from '@/lib/plans/service';
import {
  abortMultipart,
  beginMultipart,
  completeMultipart,
  listParts,
  presignPart,
} from '@/lib/services/multipart';
import { headObject } from '@/lib/services/storage';
import {
  type finishUpload as finishContract,
  MAX_FILE_BYTES,
  type openUpload as openContract,
  PART_BYTES,
  type signParts as signContract,
  type UploadState,
} from './contract';
import { markUploaded, TOO_LARGE, validateDeclaredFile } from './mark-uploaded';
import { hasEveryPart, md5OfEtag, partSize } from './parts';

/** Asked for right before each part is sent. */
const PART_URL_SECONDS = 3600;

const columns = {
  entryId: uploads.entryId,
  multipartId: uploads.multipartId,
  size: uploads.size,
  videoStatus: entries.videoStatus,
  contentType: entries.contentType,
  bytes: entries.bytes,
};

/** The owner's upload in parts. @throws AppError `not_found` */
async function findUpload(userId: string, entryId: string) {
  const [found] = await db()
    .select(columns)
    .from(uploads)
    .innerJoin(entries, eq(entries.id, uploads.entryId))
    .where(ownedEntry(userId, entryId));
  if (!found) throw new AppError('not_found');
  return found;
}

type OpenInput = z.output<typeof openContract.body>;

/** Adds to an upload that was begun before what the browser knows now. */
async function resumeUpload(tx: Transaction, userId: string, input: OpenInput): Promise<string | null> {
  const [known] = await tx
    .select({ ...columns, trashedAt: entries.trashedAt })
    .from(uploads)
    .innerJoin(entries, eq(entries.id, uploads.entryId))
    .where(and(eq(uploads.userId, userId), eq(uploads.clientId, input.client_id)));
  if (!known) return null;
  // Removed by the person, maybe in another tab.
  if (known.trashedAt) throw new AppError('not_found');
  if (known.videoStatus !== 'uploading') return known.entryId;
  const { size = known.size } = input;
  if (known.size !== null && size !== known.size) throw new AppError('conflict');
  if (size !== null && size > known.bytes) await assertBytesAvailable(tx, userId, size - known.bytes);
  await tx
    .update(entries)
    .set({
      title: input.title,
      date: input.journal_date && toIso(input.journal_date),
      bytes: size ?? known.bytes,
    })
    .where(and(ownedEntry(userId, known.entryId), eq(entries.videoStatus, 'uploading')));
  await tx.update(uploads).set({ size, activeAt: sql`now()` }).where(eq(uploads.entryId, known.entryId));
  return known.entryId;
}

/**
 * Reserves room for a video that is sent in parts and makes its entry, in one atomic step. The same `client_id`
 * again is answered with the same entry.
 * @throws AppError `unsupported_media_type`, `too_large`, `quota_reached`; `conflict` when it was begun with another
 * size, `not_found` when the person has removed it
 */
export async function openUpload(userId: string, input: OpenInput) {
  validateDeclaredFile(input.content_type, input.size);
  const entryId = await db().transaction(async (tx) => {
    await lockPlan(tx, userId);
    const known = await resumeUpload(tx, userId, input);
    if (known) return known;
    const made = uuidv7();
    await tx.insert(entries).values({
      id: made,
      userId,
      // Without a title it is an upload only; nothing shows it before it has one.
      title: input.title ?? '',
      date: toIso(input.journal_date ?? latestToday()),
      fileName: input.file_name,
      contentType: input.content_type,
      bytes: await checkUploadQuota(tx, userId, input.size ?? 0, MAX_FILE_BYTES),
    });
    await tx
      .insert(uploads)
      .values({ entryId: made, userId, clientId: input.client_id, size: input.size ?? null });
    return made;
  });
  return { entryId, partSize: PART_BYTES };
}

/** Storage's name of the upload, begun now where there is none. Of parallel calls one gives it. */
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

/** Takes room for a recording that grows. Asking for the same part again takes nothing. */
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

/**
 * Addresses to PUT parts to, good for an hour, each for exactly the bytes that were declared.
 * @throws AppError `not_found`; `conflict` when the upload is over; `validation_failed` for a part of another length
 * than the file's parts have; `too_large`, `quota_reached`
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
 * What has arrived, as storage says. An upload that storage has lost begins anew, with no parts.
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
  const parts = (stored ?? []).map((part) => ({
    number: part.number,
    size: part.size,
    md5: md5OfEtag(part.etag),
  }));
  return { complete: false, size, etag: null, parts };
}

/**
 * Makes the object of its parts where all have arrived.
 * @param declared the MD5 of each part; without it only the sizes are compared
 * @returns whether there is an object of that size now
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
 * Puts the parts together, when storage has them all as they were declared, and starts the processing.
 * @throws AppError `not_found`, `upload_missing`
 */
export async function finishUpload(
  userId: string,
  entryId: string,
  { parts, ...said }: z.output<typeof finishContract.body>,
): Promise<z.output<typeof finishContract.response>> {
  const { videoStatus } = await findUpload(userId, entryId);
  if (videoStatus === 'uploading' && !(await assembleParts(userId, entryId, said.size, parts))) {
    throw new AppError('upload_missing');
  }
  return markUploaded(userId, entryId, said);
}
