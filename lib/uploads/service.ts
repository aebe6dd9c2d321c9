import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { toIso } from '@/lib/entries/calendar';
import { entryKey } from '@/lib/entries/keys';
import { checkUploadQuota } from '@/lib/plans/service';
import { presignUpload } from '@/lib/services/storage';
import { MAX_FILE_BYTES, type presignedUrl } from './contract';
import { markUploaded, validateDeclaredFile } from './mark-uploaded';

const UPLOAD_URL_SECONDS = 3600;

/**
 * Reserves room for one video and makes its entry, in one atomic step.
 * @throws AppError `unsupported_media_type`, `too_large`, `quota_reached`
 */
export async function reserveUpload(userId: string, input: z.output<typeof presignedUrl.query>) {
  validateDeclaredFile(input.content_type, input.size);
  const entryId = uuidv7();
  const bytes = await db().transaction(async (tx) => {
    const reserved = await checkUploadQuota(tx, userId, input.size, MAX_FILE_BYTES);
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
  const presignedData = await presignUpload({
    key: entryKey(userId, entryId, 'source'),
    contentType: input.content_type,
    maxBytes: bytes,
    seconds: UPLOAD_URL_SECONDS,
  });
  return { presignedData, metadata: { entryId } };
}

/**
 * Says that the video has been sent, in one piece.
 * @throws AppError `not_found`, `upload_missing`
 */
export function completeUpload(userId: string, entryId: string) {
  return markUploaded(userId, entryId);
}
