import { and, eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { db, type Transaction } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { uploads } from '@/db/schema/uploads';
import { assertBytesAvailable, bytesLeft, checkUploadQuota, lockPlan } from '@/lib/billing/plans/service';
import { type FileLimits, findLimitProblem } from '@/lib/billing/plans/shared/file-limits';
import { hasFormUploads, presignForm, presignPut } from '@/lib/clients/direct-upload';
import { AppError } from '@/lib/foundation/contract/errors';
import { linkTo } from '@/lib/foundation/telemetry/spans';
import { entryKey } from '@/lib/journal/entries/keys';
import { latestToday, toIso } from '@/lib/journal/entries/shared/calendar';
import { jobLimits, jobMaxBytes } from '@/lib/video/processing/job-limits';
import type * as contract from './contract';
import { MAX_FILE_BYTES, PART_BYTES } from './contract';
import { rememberWhole } from './parts';

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
export async function validateDeclaredFile(
  declared: Pick<OpenInput, 'content_type' | 'size' | 'duration'>,
): Promise<void> {
  if (!VIDEO_TYPE.test(declared.content_type)) throw new AppError('unsupported_media_type');
  await assertWithinLimits({ bytes: declared.size, seconds: declared.duration });
}

type OpenInput = z.output<typeof contract.openUpload.body>;

/** An upload that has an entry. */
interface KnownUpload {
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
async function resumeUpload(
  tx: Transaction,
  userId: string,
  input: Pick<OpenInput, 'client_id' | 'size' | 'title' | 'journal_date'> & Pick<ReserveInput, 'question'>,
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
    .set({
      title: input.title,
      date: input.journal_date && toIso(input.journal_date),
      question: input.question,
      bytes,
    })
    .where(and(ownedEntry(userId, entryId), eq(entries.videoStatus, 'uploading')));
  await tx.update(uploads).set({ size, activeAt: sql`now()` }).where(eq(uploads.entryId, entryId));
  return { entryId, bytes, isOpen: true };
}

type EntryValues = Omit<typeof entries.$inferInsert, 'id' | 'userId' | 'bytes'>;

/** Creates an entry, and its upload if the client has a name for that. @returns the entry's id */
async function insertUpload(
  tx: Transaction,
  userId: string,
  { clientId, size, bytes }: { clientId: string | undefined; size: number | undefined; bytes: number },
  entry: EntryValues,
): Promise<string> {
  const entryId = uuidv7();
  await tx.insert(entries).values({ ...entry, id: entryId, userId, bytes });
  if (clientId) await tx.insert(uploads).values({ entryId, userId, clientId, size: size ?? null });
  linkTo(entryId);
  return entryId;
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
  entry: EntryValues,
): Promise<string> {
  const bytes = await checkUploadQuota(tx, userId, size ?? 0, uploadMaxBytes());
  return insertUpload(tx, userId, { clientId, size, bytes }, entry);
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
    const upload = { clientId: input.client_id, size: input.size };
    return createUpload(tx, userId, upload, {
      // Nothing shows it until it has a title.
      title: input.title ?? '',
      date: toIso(input.journal_date ?? latestToday()),
      fileName: input.file_name,
      contentType: input.content_type,
    });
  });
  return { entryId, partSize: PART_BYTES };
}

type ReserveInput = z.output<typeof contract.presignedUrl.query>;

const UPLOAD_URL_MS = 3_600_000;

/**
 * Finds the upload with the same `client_id`, or creates an entry with a slot, under {@link lockPlan}. Reserves its size, or
 * everything left if that isn't known: an address to send it to needs space.
 */
async function findOrReserve(
  tx: Transaction,
  userId: string,
  { client_id: clientId, size, ...input }: ReserveInput,
): Promise<KnownUpload> {
  const known = clientId ? await resumeUpload(tx, userId, { ...input, client_id: clientId, size }) : null;
  // A recording of which nothing is on its way and whose size the client doesn't know.
  if (known?.isOpen && known.bytes <= 0) {
    const bytes = Math.min(await bytesLeft(tx, userId), uploadMaxBytes());
    if (bytes <= 0) throw new AppError('quota_reached');
    return { ...known, bytes };
  }
  if (known) return known;
  const bytes = await checkUploadQuota(tx, userId, size, uploadMaxBytes());
  const entry = {
    title: input.title,
    date: toIso(input.journal_date),
    question: input.question,
    fileName: input.file_name,
    contentType: input.content_type,
  };
  const entryId = await insertUpload(tx, userId, { clientId, size, bytes }, entry);
  return { entryId, bytes, isOpen: true };
}

/**
 * Reserves space for a video and creates its entry, in one transaction, and returns an address to upload it to in one
 * piece. Repeating a `client_id` returns the same entry with a new address. Once its video has arrived, the address has
 * expired, so that nothing replaces it. Where storage takes no forms, the address is one to PUT to, which has to be signed
 * for the file's exact size.
 * @throws AppError `unsupported_media_type`, `too_large`, `quota_reached`, `unavailable`; `validation_failed` if the size
 * is needed and missing; `conflict` if it was opened with another size, `not_found` if the person has removed it
 */
export async function reserveUpload(userId: string, input: ReserveInput) {
  await validateDeclaredFile(input);
  // Before anything is reserved: an address must not be of a kind that storage refuses.
  const takesForms = await hasFormUploads();
  if (!takesForms && input.size === undefined) {
    throw new AppError('validation_failed', { fields: { size: 'Enter the size in bytes.' } });
  }
  const now = Date.now();
  const { entryId, bytes, isOpen } = await db().transaction(async (tx) => {
    await lockPlan(tx, userId);
    const reserved = await findOrReserve(tx, userId, input);
    if (!reserved.isOpen) return reserved;
    const [open] = await tx
      .update(entries)
      .set({ uploadExpiresAt: new Date(now + UPLOAD_URL_MS), bytes: reserved.bytes })
      .where(and(ownedEntry(userId, reserved.entryId), eq(entries.videoStatus, 'uploading')))
      .returning({ id: entries.id });
    // Its video may have arrived since it was found.
    if (!open) return { ...reserved, isOpen: false };
    const { client_id, md5, size = Number.POSITIVE_INFINITY } = input;
    if (client_id && md5 && size <= PART_BYTES) await rememberWhole(tx, reserved.entryId, { size, md5 });
    return reserved;
  });
  const upload = {
    key: entryKey(userId, entryId, 'source'),
    contentType: input.content_type,
    md5: input.md5,
    seconds: UPLOAD_URL_MS / 1000,
    signedAt: new Date(isOpen ? now : now - 2 * UPLOAD_URL_MS),
  };
  const presignedData = takesForms
    ? await presignForm({ ...upload, maxBytes: bytes })
    : {
        url: await presignPut({ ...upload, bytes: input.size ?? bytes }),
        fields: {},
        method: 'PUT' as const,
      };
  return { presignedData, metadata: { entryId } };
}
