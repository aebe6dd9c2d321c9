import { and, eq, sql } from 'drizzle-orm';
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
} from '@/lib/services/multipart';
import { headObject } from '@/lib/services/storage-objects';
import {
  type finishUpload as finishContract,
  PART_BYTES,
  type signParts as signContract,
  type UploadState,
} from './contract';
import {
  areEtagsMd5,
  findUpload,
  forgetMultipart,
  markEtagsAsMd5,
  receivedParts,
  rememberParts,
  type SignedPart,
} from './parts';
import { assertWithinLimits, markUploaded } from './service';

/** Long enough for one part: the browser asks for each URL right before it sends the part. */
const PART_URL_SECONDS = 3600;

/** How often to start over when another call has changed the upload meanwhile. */
const MAX_ATTEMPTS = 5;

/** Returns the owner's upload in parts. @throws AppError `not_found` */
async function findPartUpload(userId: string, entryId: string) {
  const found = await findUpload(userId, entryId);
  if (!found.upload) throw new AppError('not_found');
  return { ...found, upload: found.upload };
}

/**
 * Makes room for other bytes of parts that were signed before. Where storage's ETags turn out to be MD5s, they tell
 * which bytes have arrived. Elsewhere nothing does, so the upload starts over.
 * @throws AppError `conflict` if the parts have been assembled
 */
async function resolveChangedParts(
  userId: string,
  entryId: string,
  { signed, multipartId }: { signed: readonly SignedPart[]; multipartId: string },
): Promise<void> {
  const key = entryKey(userId, entryId, 'source');
  const stored = await listParts(key, multipartId);
  if (stored && areEtagsMd5(stored, signed)) return markEtagsAsMd5(userId, entryId, multipartId);
  if (!stored && (await headObject(key))) throw new AppError('conflict');
  await forgetMultipart(userId, entryId, multipartId);
  await abortMultipart(key, multipartId);
}

/**
 * Remembers parts that are about to be signed, and starts a multipart upload if there is none. Parallel calls return
 * the same one.
 * @returns storage's id of the multipart upload
 * @throws AppError `not_found`; `conflict` if the upload has ended, or other calls keep changing it
 */
async function prepareParts(userId: string, entryId: string, parts: readonly SignedPart[]): Promise<string> {
  const key = entryKey(userId, entryId, 'source');
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const { upload, signed, contentType } = await findPartUpload(userId, entryId);
    const begun = upload.multipartId === null;
    const multipartId = upload.multipartId ?? (await beginMultipart(key, contentType));
    let outcome: Awaited<ReturnType<typeof rememberParts>> | undefined;
    try {
      outcome = await rememberParts(userId, entryId, { multipartId, begun, parts });
    } finally {
      if (begun && outcome !== 'remembered') await abortMultipart(key, multipartId);
    }
    if (outcome === 'remembered') return multipartId;
    if (outcome === 'changed') await resolveChangedParts(userId, entryId, { signed, multipartId });
  }
  throw new AppError('conflict');
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

const countParts = (fileSize: number) => Math.ceil(fileSize / PART_BYTES);

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
  const { upload, videoStatus } = await findPartUpload(userId, entryId);
  if (videoStatus !== 'uploading') throw new AppError('conflict');
  const ends = parts.map(({ number, size }) => (number - 1) * PART_BYTES + size);
  const end = Math.max(0, ...ends);
  assertWithinLimits({ bytes: end });
  const { size } = upload;
  if (size === null) await reserveGrowth(userId, entryId, end);
  else if (parts.some((part) => part.size !== partSize(part.number, size))) {
    throw new AppError('validation_failed', {
      fields: { parts: 'These parts don’t match the file. Upload it again.' },
    });
  }
  await db().update(uploads).set({ activeAt: sql`now()` }).where(eq(uploads.entryId, entryId));
  const key = entryKey(userId, entryId, 'source');
  const multipartId = parts.length > 0 ? await prepareParts(userId, entryId, parts) : '';
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
  const { videoStatus, upload, signed } = await findUpload(userId, entryId);
  const key = entryKey(userId, entryId, 'source');
  const multipartId = upload?.multipartId;
  const stored = multipartId && videoStatus === 'uploading' ? await listParts(key, multipartId) : null;
  if (stored) {
    // Read again, since a part may have been signed for other bytes since.
    const now = await findUpload(userId, entryId);
    const received = now.upload?.multipartId === multipartId ? receivedParts(stored, now) : [];
    const parts = received.map(({ number, size, md5 }) => ({ number, size, md5 }));
    return { complete: false, size: now.upload?.size ?? null, parts };
  }
  const object = await headObject(key);
  if (object || videoStatus !== 'uploading') {
    const count = countParts(object?.size ?? 0);
    return {
      complete: true,
      size: object?.size ?? null,
      parts: signed.filter(({ number }) => number <= count),
    };
  }
  if (multipartId) await forgetMultipart(userId, entryId, multipartId);
  return { complete: false, size: upload?.size ?? null, parts: [] };
}

/** Returns whether these are all the parts of a file, in order, with the right sizes and the declared MD5s. */
function hasEveryPart(parts: readonly SignedPart[], fileSize: number, declared?: readonly string[]): boolean {
  const count = countParts(fileSize);
  if (parts.length !== count || (declared && declared.length !== count)) return false;
  return parts.every(
    (part, index) =>
      part.number === index + 1 &&
      part.size === partSize(part.number, fileSize) &&
      (!declared || part.md5 === declared[index]),
  );
}

/**
 * Assembles the parts into an object if all have arrived.
 * @param declared the MD5 of each part; without it, only the sizes are compared
 * @returns whether storage has an object of that size, and of those parts, now
 */
export async function assembleParts(
  userId: string,
  entryId: string,
  size: number,
  declared?: readonly string[],
): Promise<boolean> {
  const { upload } = await findPartUpload(userId, entryId);
  const { multipartId } = upload;
  const key = entryKey(userId, entryId, 'source');
  const isFromFile = ({ number }: { number: number }) => number <= countParts(size);
  const stored = multipartId && !(await headObject(key)) ? await listParts(key, multipartId) : null;
  // Read after the parts, since one may have been signed for other bytes meanwhile.
  const now = await findPartUpload(userId, entryId);
  if (stored && multipartId && now.upload.multipartId === multipartId) {
    const parts = receivedParts(stored, now).filter(isFromFile);
    if (hasEveryPart(parts, size, declared)) await completeMultipart(key, multipartId, parts);
  }
  // An object from before parts were remembered has none.
  if (now.signed.length > 0 && !hasEveryPart(now.signed.filter(isFromFile), size, declared)) return false;
  // Another call may have assembled it.
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
  const { videoStatus } = await findPartUpload(userId, entryId);
  if (videoStatus === 'uploading' && !(await assembleParts(userId, entryId, details.size, parts))) {
    throw new AppError('upload_missing');
  }
  return markUploaded(userId, entryId, details);
}
