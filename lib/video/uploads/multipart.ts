import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { db } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { uploads } from '@/db/schema/uploads';
import { assertBytesAvailable, lockPlan } from '@/lib/billing/plans/service';
import { abortMultipart, beginMultipart, listParts, presignPart } from '@/lib/clients/multipart';
import { headObject } from '@/lib/clients/storage-objects';
import { AppError } from '@/lib/foundation/contract/errors';
import { entryKey } from '@/lib/journal/entries/keys';
import type * as contract from './contract';
import { PART_BYTES, type UploadState } from './contract';
import {
  areEtagsMd5,
  countParts,
  findPartUpload,
  findUpload,
  forgetMultipart,
  hasSignedBytes,
  markEtagsAsMd5,
  partSize,
  receivedParts,
  rememberParts,
  type SignedPart,
} from './parts';
import { assertWithinLimits } from './service';

/** Long enough for one part: the browser asks for each URL right before it sends the part. */
const PART_URL_SECONDS = 3600;

/** How often to start over when another call has changed the upload meanwhile. */
const MAX_ATTEMPTS = 5;

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
    const isOpen = and(ownedEntry(userId, entryId), eq(entries.videoStatus, 'uploading'));
    const [entry] = await tx.select({ bytes: entries.bytes }).from(entries).where(isOpen);
    if (!entry || bytes <= entry.bytes) return;
    await assertBytesAvailable(tx, userId, bytes - entry.bytes);
    // Its video may have arrived meanwhile, with its real size.
    await tx.update(entries).set({ bytes }).where(isOpen);
  });
}

/**
 * Returns signed URLs to PUT parts to, valid for an hour, each for exactly the bytes declared.
 * @throws AppError `not_found`; `conflict` if the upload has ended; `validation_failed` if a part doesn't have the size
 * that it has in the file; `too_large`, `quota_reached`
 */
export async function signParts(
  userId: string,
  entryId: string,
  { parts }: z.output<typeof contract.signParts.body>,
): Promise<z.output<typeof contract.signParts.response>> {
  const { upload, videoStatus } = await findPartUpload(userId, entryId);
  if (videoStatus !== 'uploading') throw new AppError('conflict');
  const ends = parts.map(({ number, size }) => (number - 1) * PART_BYTES + size);
  const end = Math.max(0, ...ends);
  await assertWithinLimits({ bytes: end });
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
  const hasArrived = object !== null && (await hasSignedBytes(key, object, { upload, signed }));
  if (hasArrived || videoStatus !== 'uploading') {
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
