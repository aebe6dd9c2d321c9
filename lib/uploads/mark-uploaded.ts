import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import { db } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { AppError } from '@/lib/contract/errors';
import { type CalendarDate, toIso } from '@/lib/entries/calendar';
import { entryKey } from '@/lib/entries/keys';
import { enqueueEvent } from '@/lib/outbox/service';
import { headObject } from '@/lib/services/storage';
import { type completeUpload, MAX_FILE_BYTES } from './contract';

/** `video/*`, with parameters such as codecs allowed (RFC 9110, 8.3.1). */
const VIDEO_TYPE = /^video\/[\w.+-]+(\s*;.*)?$/;

export const TOO_LARGE = 'This file is too large. Videos can be up to 4 GB.';

/** Judges what a client declares before any byte is sent. @throws AppError `unsupported_media_type`, `too_large` */
export function validateDeclaredFile(contentType: string, size: number | undefined): void {
  if (!VIDEO_TYPE.test(contentType)) throw new AppError('unsupported_media_type');
  if (size !== undefined && size > MAX_FILE_BYTES) throw new AppError('too_large', { message: TOO_LARGE });
}

/** What the person says about a video. */
export interface EntryDetails {
  title: string;
  journal_date: CalendarDate;
}

/**
 * Takes note that the object has arrived, with its real size, and starts its processing. Under any number of
 * parallel calls the row changes once, and with it the one event is put in the outbox.
 * @param said what is known only now, as with a recording that was sent while it was made
 * @throws AppError `not_found`, `upload_missing`
 */
export async function markUploaded(
  userId: string,
  entryId: string,
  said?: EntryDetails & { size: number },
): Promise<z.output<typeof completeUpload.response>> {
  const [entry] = await db()
    .select({ videoStatus: entries.videoStatus, videoKey: entries.videoKey, title: entries.title })
    .from(entries)
    .where(ownedEntry(userId, entryId));
  if (!entry) throw new AppError('not_found');
  if (entry.videoStatus === 'uploading') {
    const object = await headObject(entryKey(userId, entryId, 'source'));
    const described = said || entry.title;
    if (!object?.size || !described || (said && said.size !== object.size)) {
      throw new AppError('upload_missing');
    }
    await db().transaction(async (tx) => {
      const changed = await tx
        .update(entries)
        .set({
          videoStatus: 'uploaded',
          bytes: object.size,
          sourceEtag: object.etag || null,
          ...(said && { title: said.title, date: toIso(said.journal_date) }),
        })
        .where(and(ownedEntry(userId, entryId), eq(entries.videoStatus, 'uploading')))
        .returning({ id: entries.id });
      if (changed.length === 0) return;
      await enqueueEvent(tx, `upload-${entryId}`, { name: 'entry/uploaded', data: { entryId, userId } });
    });
  }
  if (entry.videoKey) return { id: entryId, status: 'completed' };
  return { id: entryId, status: entry.videoStatus === 'failed' ? 'failed' : 'processing' };
}
