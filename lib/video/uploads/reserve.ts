import { and, eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { db, type Transaction } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { uploads } from '@/db/schema/uploads';
import { bytesLeft, checkUploadQuota, lockPlan } from '@/lib/billing/plans/service';
import { hasFormUploads, presignForm, presignPut } from '@/lib/clients/direct-upload';
import { AppError } from '@/lib/foundation/contract/errors';
import { linkTo } from '@/lib/foundation/telemetry/spans';
import { entryKey } from '@/lib/journal/entries/keys';
import { toIso } from '@/lib/journal/entries/shared/calendar';
import type * as contract from './contract';
import { PART_BYTES } from './contract';
import { rememberWhole } from './parts';
import { type KnownUpload, resumeUpload, uploadMaxBytes, validateDeclaredFile } from './service';

type ReserveInput = z.output<typeof contract.presignedUrl.query>;

const UPLOAD_URL_SECONDS = 3600;
const UPLOAD_URL_MS = UPLOAD_URL_SECONDS * 1000;

/** Creates an entry with a slot and space. If the size isn't known, everything left is reserved. */
async function createReservation(tx: Transaction, userId: string, input: ReserveInput): Promise<KnownUpload> {
  const bytes = await checkUploadQuota(tx, userId, input.size, uploadMaxBytes());
  const entryId = uuidv7();
  await tx.insert(entries).values({
    id: entryId,
    userId,
    title: input.title,
    date: toIso(input.journal_date),
    fileName: input.file_name,
    contentType: input.content_type,
    bytes,
  });
  if (input.client_id) {
    await tx.insert(uploads).values({ entryId, userId, clientId: input.client_id, size: input.size ?? null });
  }
  linkTo(entryId);
  return { entryId, bytes, isOpen: true };
}

/** Finds the upload with the same `client_id`, under {@link lockPlan}. An address to send it to needs space. */
async function findReservation(
  tx: Transaction,
  userId: string,
  { client_id, ...input }: ReserveInput,
): Promise<KnownUpload | null> {
  const known = client_id ? await resumeUpload(tx, userId, { ...input, client_id }) : null;
  // A recording of which nothing is on its way and whose size the client doesn't know.
  if (!known?.isOpen || known.bytes > 0) return known;
  const bytes = Math.min(await bytesLeft(tx, userId), uploadMaxBytes());
  if (bytes <= 0) throw new AppError('quota_reached');
  return { ...known, bytes };
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
  const uploadExpiresAt = new Date(now + UPLOAD_URL_MS);
  const { entryId, bytes, isOpen } = await db().transaction(async (tx) => {
    await lockPlan(tx, userId);
    const reserved =
      (await findReservation(tx, userId, input)) ?? (await createReservation(tx, userId, input));
    if (!reserved.isOpen) return reserved;
    await tx
      .update(entries)
      .set({ uploadExpiresAt, bytes: reserved.bytes })
      .where(and(ownedEntry(userId, reserved.entryId), eq(entries.videoStatus, 'uploading')));
    const { client_id, md5, size = Number.POSITIVE_INFINITY } = input;
    if (client_id && md5 && size <= PART_BYTES) await rememberWhole(tx, reserved.entryId, { size, md5 });
    return reserved;
  });
  const upload = {
    key: entryKey(userId, entryId, 'source'),
    contentType: input.content_type,
    md5: input.md5,
    seconds: UPLOAD_URL_SECONDS,
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
