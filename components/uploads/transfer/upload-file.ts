import { videoType } from '@/components/uploads/form/video-type';
import { retryUntilConnected } from '@/components/uploads/queue/retry-until-connected';
import { ApiError, api } from '@/lib/contract/client';
import { toIso } from '@/lib/entries/calendar';
import type { UploadState } from '@/lib/uploads/contract';
import { completeReservation, postForm, reserveSlot, StorageError, type Upload } from './form-upload';
import { etagOfParts, etagOfWhole } from './md5';
import { createFileSource, sendParts, type TransferEvents } from './send-parts';

/** What fits one part is sent in one piece, as the specification has it. The server's PART_BYTES. */
export const PART_BYTES = 8_388_608;

/** What a try came to: an entry, and whether the server has been told that it is whole. */
export interface UploadResult {
  entryId: string;
  /** What kept the server from being told, where it has not been; it finds out by itself. */
  completionError: unknown;
}

export interface UploadEvents extends TransferEvents {
  /** The upload has an entry, which a cancelled one gives up. */
  onOpened(entryId: string): void;
}

/** How often parts that storage does not have after all are sent again. */
const MAX_ATTEMPTS = 3;

async function sendWhole(upload: Upload, sending: UploadEvents, signal: AbortSignal): Promise<UploadResult> {
  const reservation = await reserveSlot(upload, signal);
  const { entryId } = reservation.metadata;
  sending.onOpened(entryId);
  await postForm(reservation, upload.file, signal, sending.onProgress);
  const untold = await completeReservation(reservation).then(
    () => null,
    (error: unknown) => error,
  );
  return { entryId, completionError: untold };
}

/** The body that opens an upload in parts, or finds it again. */
export function openUploadBody(id: string, file: { name: string; type: string }) {
  return { client_id: id, file_name: file.name, content_type: videoType(file) ?? file.type };
}

async function sendInParts(
  id: string,
  { file, title, date }: Upload,
  md5s: string[],
  sending: UploadEvents,
  signal: AbortSignal,
): Promise<UploadResult> {
  const said = { title, journal_date: toIso(date), size: file.size };
  const ask = <T>(path: string, body: unknown) =>
    retryUntilConnected(() => api<T>('POST', path, { body, signal, stay: true }), sending.onWaiting, signal);
  const opened = await ask<{ entryId: string; partSize: number }>('/uploads', {
    ...openUploadBody(id, file),
    ...said,
  });
  const { entryId, partSize } = opened;
  sending.onOpened(entryId);
  for (let round = 1; ; round += 1) {
    await sendParts(entryId, createFileSource(file, partSize), md5s, sending, signal);
    try {
      await ask(`/entry/${entryId}/upload/complete`, { ...said, parts: md5s });
      return { entryId, completionError: null };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 401) throw error;
      if (error.code !== 'upload_missing') return { entryId, completionError: error };
      if (round === MAX_ATTEMPTS) throw new StorageError();
    }
  }
}

/**
 * Sends a video to the account: in one piece where it is small, else in parts, going on where an earlier try of the
 * same id has stopped.
 * @param md5s of its parts, as far as they are known; the rest is added
 * @throws StorageError, ApiError, or the signal's reason when it is aborted
 */
export function uploadFile(
  id: string,
  upload: Upload,
  md5s: string[],
  sending: UploadEvents,
  signal: AbortSignal,
): Promise<UploadResult> {
  return upload.file.size <= PART_BYTES
    ? sendWhole(upload, sending, signal)
    : sendInParts(id, upload, md5s, sending, signal);
}

/** Whether storage holds these very bytes: their number, and their checksum where storage has one of that kind. */
export async function isStored(entryId: string, file: File, md5s: readonly string[]): Promise<boolean> {
  const { size, etag } = await api<UploadState>('GET', `/entry/${entryId}/upload`, { stay: true });
  if (size !== file.size) return false;
  if (!etag || !/^[0-9a-f]{32}(-\d+)?$/.test(etag)) return true;
  return etag === (md5s.length > 0 ? await etagOfParts(md5s) : await etagOfWhole(file));
}

/** Gives an upload up, so that its room is free at once. Whatever comes of it, the server does so a day later. */
export async function abortRemoteUpload(entryId: string): Promise<void> {
  await api('DELETE', `/entry/${entryId}/upload`, { stay: true, keepalive: true }).catch(() => {});
}

/** The same for one of which only the id is known here, as another page has begun it. */
export async function abortRemoteUploadByClientId(
  id: string,
  file: { name: string; type: string },
): Promise<void> {
  const body = { ...openUploadBody(id, file), content_type: videoType(file) ?? 'video/mp4' };
  const found = await api<{ entryId: string }>('POST', '/uploads', { body, stay: true }).catch(() => null);
  if (found) await abortRemoteUpload(found.entryId);
}
