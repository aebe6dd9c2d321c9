import { and, eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { db, type Transaction } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { uploads } from '@/db/schema/uploads';
import { assertBytesAvailable, checkUploadQuota, lockPlan } from '@/lib/billing/plans/service';
import { type FileLimits, findLimitProblem } from '@/lib/billing/plans/shared/file-limits';
import { AppError } from '@/lib/foundation/contract/errors';
import { linkTo } from '@/lib/foundation/telemetry/spans';
import { latestToday, toIso } from '@/lib/journal/entries/shared/calendar';
import { jobLimits, jobMaxBytes } from '@/lib/video/processing/job-limits';
import type * as contract from './contract';
import { MAX_FILE_BYTES, PART_BYTES } from './contract';

/** `video/*`, with parameters such as codecs allowed (RFC 9110, 8.3.1). */
const VIDEO_TYPE = /^video\/[\w.+-]+(\s*;.*)?$/;

/** Returns how large one video may be here, in bytes: no larger than the jobs can process. */
export const uploadMaxBytes = (): number => Math.min(jobMaxBytes(), MAX_FILE_BYTES);

/** Returns what one video may be here: no more than the jobs can process. Not for transactions, since it asks the database. */
export async function uploadLimits(): Promise<FileLimits> {
  return { ...(await jobLimits()), bytes: uploadMaxBytes() };
}

/** @throws AppError `too_large` */
export async function assertWithinLimits(video: Parameters<typeof findLimitProblem>[1]): Promise<void> {
  const { seconds } = video.seconds === undefined ? { seconds: null } : await jobLimits();
  const message = findLimitProblem({ bytes: uploadMaxBytes(), seconds }, video);
  if (message) throw new AppError('too_large', { message });
}

/**
 * Checks what a client declares about a file before sending it.
 * @throws AppError `unsupported_media_type`, `too_large`
 */
export async function validateDeclaredFile(declared: {
  content_type: string;
  size?: number | undefined;
  duration?: number | undefined;
}): Promise<void> {
  if (!VIDEO_TYPE.test(declared.content_type)) throw new AppError('unsupported_media_type');
  await assertWithinLimits({ bytes: declared.size, seconds: declared.duration });
}

type OpenInput = z.output<typeof contract.openUpload.body>;

/** An upload that has an entry. */
export interface KnownUpload {
  entryId: string;
  /** Reserved for it. */
  bytes: number;
  /** Whether its video hasn't arrived yet. */
  isOpen: boolean;
}

/**
 * Updates an upload that was opened earlier with what the browser knows now, under {@link lockPlan}.
 * @returns null if there's none
 * @throws AppError `quota_reached`; `conflict` if it has another size, `not_found` if the person has removed it
 */
export async function resumeUpload(
  tx: Transaction,
  userId: string,
  input: Pick<OpenInput, 'client_id' | 'size' | 'title' | 'journal_date'>,
): Promise<KnownUpload | null> {
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
  const { entryId } = known;
  if (known.videoStatus !== 'uploading') return { entryId, bytes: known.bytes, isOpen: false };
  const { size = known.size } = input;
  if (known.size !== null && size !== known.size) throw new AppError('conflict');
  if (size !== null && size > known.bytes) await assertBytesAvailable(tx, userId, size - known.bytes);
  const bytes = size ?? known.bytes;
  await tx
    .update(entries)
    .set({ title: input.title, date: input.journal_date && toIso(input.journal_date), bytes })
    .where(and(ownedEntry(userId, entryId), eq(entries.videoStatus, 'uploading')));
  await tx.update(uploads).set({ size, activeAt: sql`now()` }).where(eq(uploads.entryId, entryId));
  return { entryId, bytes, isOpen: true };
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
  const bytes = await checkUploadQuota(tx, userId, size ?? 0, uploadMaxBytes());
  const id = uuidv7();
  await tx.insert(entries).values({ ...entry, id, userId, bytes });
  await tx.insert(uploads).values({ entryId: id, userId, clientId, size: size ?? null });
  linkTo(id);
  return id;
}

/**
 * Creates the entry of a recording that's still running, which is uploaded in parts, in one transaction. Repeating a
 * `client_id` returns the same entry. Also takes what the previous version says of other videos.
 * @throws AppError `unsupported_media_type`, `too_large`, `quota_reached`; `conflict` if it was opened with another
 * size, `not_found` if the person has removed it
 */
export async function openUpload(userId: string, input: OpenInput) {
  await validateDeclaredFile(input);
  const entryId = await db().transaction(async (tx) => {
    await lockPlan(tx, userId);
    const known = await resumeUpload(tx, userId, input);
    if (known) return known.entryId;
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
