import { and, eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { db, type Transaction } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { uploads } from '@/db/schema/uploads';
import { AppError } from '@/lib/contract/errors';
import { type CalendarDate, latestToday, toIso } from '@/lib/entries/calendar';
import { entryKey } from '@/lib/entries/keys';
import { startJobs } from '@/lib/outbox/entry-jobs';
import { type FileLimits, findLimitProblem } from '@/lib/plans/file-limits';
import { assertBytesAvailable, checkUploadQuota, lockPlan } from '@/lib/plans/service';
import { jobLimits } from '@/lib/processing/job-limits';
import { hasFormUploads, presignForm, presignPut } from '@/lib/services/direct-upload';
import { headObject } from '@/lib/services/storage-objects';
import { linkTo, recordOpening } from '@/lib/telemetry/spans';
import {
  type completeUpload as completeContract,
  MAX_FILE_BYTES,
  type openUpload as openContract,
  PART_BYTES,
  type presignedUrl,
} from './contract';

/** `video/*`, with parameters such as codecs allowed (RFC 9110, 8.3.1). */
const VIDEO_TYPE = /^video\/[\w.+-]+(\s*;.*)?$/;

/** Returns what one video may be here: no more than the jobs can process. */
export function uploadLimits(): FileLimits {
  const { bytes, seconds } = jobLimits();
  return { bytes: Math.min(bytes, MAX_FILE_BYTES), seconds };
}

/** @throws AppError `too_large` */
export function assertWithinLimits(video: Parameters<typeof findLimitProblem>[1]): void {
  const message = findLimitProblem(uploadLimits(), video);
  if (message) throw new AppError('too_large', { message });
}

/**
 * Checks what a client declares about a file before sending it.
 * @throws AppError `unsupported_media_type`, `too_large`
 */
export function validateDeclaredFile(declared: {
  content_type: string;
  size?: number | undefined;
  duration?: number | undefined;
}): void {
  if (!VIDEO_TYPE.test(declared.content_type)) throw new AppError('unsupported_media_type');
  assertWithinLimits({ bytes: declared.size, seconds: declared.duration });
}

const UPLOAD_URL_SECONDS = 3600;

/**
 * Reserves space for a video that's uploaded in one piece, and creates its entry, in one transaction. Where storage takes
 * no forms, the URL is one to PUT to, which has to be signed for the file's exact size.
 * @throws AppError `unsupported_media_type`, `too_large`, `quota_reached`, `unavailable`; `validation_failed` if the size
 * is needed and missing
 */
export async function reserveUpload(userId: string, input: z.output<typeof presignedUrl.query>) {
  validateDeclaredFile(input);
  // Before anything is reserved: an address must not be of a kind that storage refuses.
  const takesForms = await hasFormUploads();
  if (!takesForms && input.size === undefined) {
    throw new AppError('validation_failed', { fields: { size: 'Enter the size in bytes.' } });
  }
  const entryId = uuidv7();
  linkTo(entryId);
  const bytes = await db().transaction(async (tx) => {
    const reserved = await checkUploadQuota(tx, userId, input.size, uploadLimits().bytes);
    await tx.insert(entries).values({
      id: entryId,
      userId,
      title: input.title,
      date: toIso(input.journal_date),
      fileName: input.file_name,
      contentType: input.content_type,
      bytes: reserved,
      uploadExpiresAt: new Date(Date.now() + UPLOAD_URL_SECONDS * 1000),
    });
    return reserved;
  });
  const upload = {
    key: entryKey(userId, entryId, 'source'),
    contentType: input.content_type,
    seconds: UPLOAD_URL_SECONDS,
  };
  const presignedData = takesForms
    ? await presignForm({ ...upload, maxBytes: bytes })
    : { url: await presignPut({ ...upload, bytes }), fields: {}, method: 'PUT' as const };
  return { presignedData, metadata: { entryId } };
}

type OpenInput = z.output<typeof openContract.body>;

/** Updates an upload that was opened earlier with what the browser knows now. @returns its entry's id, or null */
async function resumeUpload(tx: Transaction, userId: string, input: OpenInput): Promise<string | null> {
  const [known] = await tx
    .select({
      entryId: uploads.entryId,
      size: uploads.size,
      bytes: entries.bytes,
      videoStatus: entries.videoStatus,
      trashedAt: entries.trashedAt,
    })
    .from(uploads)
    .innerJoin(entries, eq(entries.id, uploads.entryId))
    .where(and(eq(uploads.userId, userId), eq(uploads.clientId, input.client_id)));
  if (!known) return null;
  // The person removed it, maybe in another tab.
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
 * Reserves space for a video that's uploaded in parts, and creates its entry, under {@link lockPlan}.
 * @param upload its size in bytes, unless it's a recording that grows
 * @returns the entry's id
 * @throws AppError `quota_reached`
 */
export async function createUpload(
  tx: Transaction,
  userId: string,
  { clientId, size }: { clientId: string; size: number | undefined },
  entry: Omit<typeof entries.$inferInsert, 'id' | 'userId' | 'bytes'>,
): Promise<string> {
  const bytes = await checkUploadQuota(tx, userId, size ?? 0, uploadLimits().bytes);
  const id = uuidv7();
  await tx.insert(entries).values({ ...entry, id, userId, bytes });
  await tx.insert(uploads).values({ entryId: id, userId, clientId, size: size ?? null });
  linkTo(id);
  return id;
}

/**
 * Reserves space for a video that's uploaded in parts, and creates its entry, in one transaction. Repeating a
 * `client_id` returns the same entry.
 * @throws AppError `unsupported_media_type`, `too_large`, `quota_reached`; `conflict` if it was opened with another
 * size, `not_found` if the person has removed it
 */
export async function openUpload(userId: string, input: OpenInput) {
  validateDeclaredFile(input);
  const entryId = await db().transaction(async (tx) => {
    await lockPlan(tx, userId);
    const known = await resumeUpload(tx, userId, input);
    if (known) return known;
    return createUpload(
      tx,
      userId,
      { clientId: input.client_id, size: input.size },
      {
        // Nothing shows it until it has a title.
        title: input.title ?? '',
        date: toIso(input.journal_date ?? latestToday()),
        fileName: input.file_name,
        contentType: input.content_type,
      },
    );
  });
  return { entryId, partSize: PART_BYTES };
}

/** What the person typed about a video. */
interface EntryDetails {
  title: string;
  journal_date: CalendarDate;
}

/**
 * Marks a video as uploaded, with its real size, and starts its processing. However many calls run in parallel, the row
 * changes once and one event is added to the outbox.
 * @param details what's known only now, for a recording that was uploaded while it was made
 * @throws AppError `not_found`, `upload_missing`
 */
export async function markUploaded(
  userId: string,
  entryId: string,
  details?: EntryDetails & { size: number },
): Promise<z.output<typeof completeContract.response>> {
  const [entry] = await db()
    .select({ videoStatus: entries.videoStatus, videoKey: entries.videoKey, title: entries.title })
    .from(entries)
    .where(ownedEntry(userId, entryId));
  if (!entry) throw new AppError('not_found');
  if (entry.videoStatus === 'uploading') {
    const object = await headObject(entryKey(userId, entryId, 'source'));
    const hasTitle = details || entry.title;
    if (!object?.size || !hasTitle || (details && details.size !== object.size)) {
      throw new AppError('upload_missing');
    }
    const isNew = await db().transaction(async (tx) => {
      const changed = await tx
        .update(entries)
        .set({
          videoStatus: 'uploaded',
          bytes: object.size,
          sourceEtag: object.etag || null,
          ...(details && { title: details.title, date: toIso(details.journal_date) }),
        })
        .where(and(ownedEntry(userId, entryId), eq(entries.videoStatus, 'uploading')))
        .returning({ id: entries.id });
      if (changed.length === 0) return false;
      await startJobs(tx, 'video', [{ entryId, userId }]);
      return true;
    });
    if (isNew) recordOpening(entryId, 'upload', { 'daylight.bytes.in': object.size });
  }
  if (entry.videoKey) return { id: entryId, status: 'completed' };
  return { id: entryId, status: entry.videoStatus === 'failed' ? 'failed' : 'processing' };
}
