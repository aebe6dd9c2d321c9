import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import { db } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { hasTimeFor } from '@/lib/billing/plans/held-videos';
import { abortMultipart, completeMultipart, listParts } from '@/lib/clients/multipart';
import { headObject } from '@/lib/clients/storage-objects';
import { AppError } from '@/lib/foundation/contract/errors';
import { recordOpening } from '@/lib/foundation/telemetry/spans';
import { entryKey } from '@/lib/journal/entries/keys';
import { toIso } from '@/lib/journal/entries/shared/calendar';
import { startJobs } from '@/lib/messaging/outbox/entry-jobs';
import type * as contract from './contract';
import {
  countParts,
  findPartUpload,
  findUpload,
  hasSignedBytes,
  partSize,
  receivedParts,
  type SignedPart,
} from './parts';
import { readPlayableUpload } from './playable-upload';

type UploadedEntry = z.output<typeof contract.completeUpload.response>;
type FinishInput = z.output<typeof contract.finishUpload.body>;

/**
 * Marks a video as uploaded, with its real size, and starts its processing. Until that's done, the upload plays if browsers can
 * and the plan has time for it. However many calls run in parallel, the row
 * changes once and one event is added to the outbox.
 * @param details what's known only now, for a recording that was uploaded while it was made
 * @throws AppError `not_found`, `upload_missing`
 */
export async function markUploaded(
  userId: string,
  entryId: string,
  details?: Omit<FinishInput, 'parts'>,
): Promise<UploadedEntry> {
  const columns = { videoStatus: entries.videoStatus, videoKey: entries.videoKey, title: entries.title };
  const find = async () => {
    const [entry] = await db().select(columns).from(entries).where(ownedEntry(userId, entryId));
    if (!entry) throw new AppError('not_found');
    return entry;
  };
  let entry = await find();
  if (entry.videoStatus === 'uploading') {
    const key = entryKey(userId, entryId, 'source');
    const object = await headObject(key);
    const hasTitle = details || entry.title;
    if (!object?.size || !hasTitle || (details && details.size !== object.size)) {
      throw new AppError('upload_missing');
    }
    const { size, etag } = object;
    const playable = etag ? await readPlayableUpload({ key, etag }, size) : null;
    const uploaded = await db().transaction(async (tx) => {
      const plays = playable !== null && (await hasTimeFor(tx, { userId, entryId }, playable.durationMs));
      const [changed] = await tx
        .update(entries)
        .set({
          videoStatus: 'uploaded',
          bytes: size,
          sourceEtag: etag || null,
          ...(plays && { ...playable, videoKey: key }),
          ...(details && { title: details.title, date: toIso(details.journal_date) }),
        })
        .where(and(ownedEntry(userId, entryId), eq(entries.videoStatus, 'uploading')))
        .returning(columns);
      if (changed) await startJobs(tx, 'video', [{ entryId, userId }]);
      return changed;
    });
    if (uploaded) recordOpening(entryId, 'upload', { 'daylight.bytes.in': size });
    // Somebody else was faster, or its owner has removed it.
    entry = uploaded ?? (await find());
  }
  if (entry.videoKey) return { id: entryId, status: 'completed' };
  return { id: entryId, status: entry.videoStatus === 'failed' ? 'failed' : 'processing' };
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
 * Assembles the parts into an object if all have arrived. If all of the video has been sent in one piece, too, deletes the
 * parts.
 * @param declared the MD5 of each part; without it, parts count that have the bytes they were signed for
 * @returns whether storage has an object of that size, and of those bytes, now
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
  const isThere = multipartId !== null && (await headObject(key))?.size === size;
  // Another call may have assembled it, which left nothing to delete.
  if (isThere) await abortMultipart(key, multipartId);
  const stored = multipartId && !isThere ? await listParts(key, multipartId) : null;
  // Read after the parts, since one may have been signed for other bytes meanwhile.
  const now = await findPartUpload(userId, entryId);
  if (stored && multipartId && now.upload.multipartId === multipartId) {
    const parts = receivedParts(stored, now).filter(isFromFile);
    if (!hasEveryPart(parts, size, declared)) return false;
    await completeMultipart(key, multipartId, parts);
  }
  // An object from before parts were remembered has none.
  const isAsDeclared =
    !declared || now.signed.length === 0 || hasEveryPart(now.signed.filter(isFromFile), size, declared);
  if (!isAsDeclared) return false;
  const object = await headObject(key);
  return object?.size === size && (await hasSignedBytes(key, object, now));
}

/**
 * Completes an upload in one piece or in parts, which are assembled if all have arrived. Checks no quota: videos and bytes
 * were counted when the upload was opened, and `admitVideo` compares the length once it's known.
 * @throws AppError `not_found`, `upload_missing`
 */
export async function completeUpload(userId: string, entryId: string): Promise<UploadedEntry> {
  const { videoStatus, title, upload, signed } = await findUpload(userId, entryId);
  if (videoStatus === 'uploading' && upload && signed.length > 0) {
    // Without a title, it's a recording that's still running.
    const size = upload.size ?? signed.reduce((sum, part) => sum + part.size, 0);
    if (title === '' || !(await assembleParts(userId, entryId, size))) throw new AppError('upload_missing');
  }
  return markUploaded(userId, entryId);
}

/**
 * Assembles the parts if storage has all of them as declared, and starts the processing.
 * @throws AppError `not_found`, `upload_missing`
 */
export async function finishUpload(
  userId: string,
  entryId: string,
  { parts, ...details }: FinishInput,
): Promise<UploadedEntry> {
  const { videoStatus } = await findPartUpload(userId, entryId);
  if (videoStatus === 'uploading' && !(await assembleParts(userId, entryId, details.size, parts))) {
    throw new AppError('upload_missing');
  }
  return markUploaded(userId, entryId, details);
}
