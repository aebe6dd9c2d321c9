import { errorMessage } from '@/components/ui/error-message';
import { ApiError, call, type ResponseBody } from '@/lib/contract/client';
import { type CalendarDate, toIso } from '@/lib/entries/calendar';
import type * as contract from '@/lib/uploads/contract';
import {
  abortUpload,
  completeUpload,
  finishUpload,
  getUpload,
  openUpload,
  presignedUrl,
} from '@/lib/uploads/routes';
import {
  type PartSource,
  retryUntilConnected,
  StorageError,
  sendParts,
  type TransferEvents,
} from './send-parts';

/** Returns what to tell a person about an upload that failed. */
export function uploadErrorMessage(error: unknown): string {
  if (error instanceof StorageError)
    return 'Failed uploading file. Ensure the file is actually a proper video.';
  if (error instanceof DOMException)
    return 'This file was moved or changed after you chose it. Choose it again.';
  return errorMessage(error);
}

interface Upload {
  title: string;
  date: CalendarDate;
  file: File;
}

type Reservation = ResponseBody<typeof contract.presignedUrl>;

/** URLs expire after an hour; an older reservation could run out during the upload. In milliseconds. */
const RESERVATION_MAX_AGE = 50 * 60_000;

let lastReservation: { key: string; madeAt: number; reservation: Reservation } | undefined;

const reservationKey = ({ title, date, file }: Upload) =>
  JSON.stringify([title, toIso(date), file.name, file.size, file.type]);

/**
 * Reserves space for a video. A retry with the same title, date and file reuses the reservation, so that it doesn't
 * take a second slot of the plan.
 * @returns the entry's id and where to upload the file
 * @throws ApiError
 */
async function reserveSlot(upload: Upload, signal: AbortSignal): Promise<Reservation> {
  const key = reservationKey(upload);
  if (lastReservation?.key === key && Date.now() - lastReservation.madeAt < RESERVATION_MAX_AGE)
    return lastReservation.reservation;
  const query = {
    title: upload.title,
    journal_date: toIso(upload.date),
    file_name: upload.file.name,
    content_type: upload.file.type,
    size: upload.file.size,
  };
  const madeAt = Date.now();
  const reservation = await call(presignedUrl, { query, signal, onExpired: 'throw' });
  lastReservation = { key, madeAt, reservation };
  return reservation;
}

/** Drops the reservation that a retry would reuse. */
export function forgetReservation(): void {
  lastReservation = undefined;
}

/**
 * Uploads the file as the reservation's form. Uses XMLHttpRequest, since fetch doesn't report upload progress.
 * @param onProgress gets the bytes sent so far
 * @throws StorageError, or the signal's reason if it's aborted
 */
function postForm(
  { presignedData }: Reservation,
  file: File,
  signal: AbortSignal,
  onProgress: (sent: number) => void,
): Promise<void> {
  const form = new FormData();
  for (const [name, value] of Object.entries(presignedData.fields)) form.append(name, value);
  form.append('file', file, file.name);
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    signal.addEventListener('abort', abort);
    request.upload.onprogress = ({ loaded, total }) => {
      onProgress(total > 0 ? Math.round((loaded / total) * file.size) : 0);
    };
    request.onabort = () => reject(signal.reason);
    request.onerror = () => reject(new StorageError());
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve();
      else reject(new StorageError());
    };
    request.onloadend = () => signal.removeEventListener('abort', abort);
    request.open('POST', presignedData.url);
    request.send(form);
  });
}

/**
 * Marks the file as uploaded, which starts its processing.
 * @throws ApiError
 */
async function completeReservation({ metadata }: Reservation): Promise<void> {
  await call(completeUpload, { params: { id: metadata.entryId }, onExpired: 'throw' });
  lastReservation = undefined;
}

/** Files up to this size are uploaded in one piece, larger ones in parts. Must equal the server's PART_BYTES. */
export const PART_BYTES = 8_388_608;

/** A finished transfer: its entry, and whether the server confirmed it. */
export interface UploadResult {
  entryId: string;
  /** Why it wasn't confirmed; null if it was. The server finds the file by itself later. */
  completionError: unknown;
}

export interface UploadEvents extends TransferEvents {
  /** Called once the upload has an entry, which has to be aborted if it's canceled. */
  onOpened(entryId: string): void;
}

/** How often to upload parts again that storage turns out not to have. */
const MAX_ATTEMPTS = 3;

async function sendWhole(upload: Upload, sending: UploadEvents, signal: AbortSignal): Promise<UploadResult> {
  const reservation = await reserveSlot(upload, signal);
  const { entryId } = reservation.metadata;
  sending.onOpened(entryId);
  await postForm(reservation, upload.file, signal, sending.onProgress);
  const completionError = await completeReservation(reservation).then(
    () => null,
    (error: unknown) => error,
  );
  return { entryId, completionError };
}

/**
 * Returns the body that opens an upload in parts, or finds it again.
 * @param file its type may be empty if the upload was opened earlier, since the server keeps the first one
 */
export function openUploadBody(id: string, file: { name: string; type: string }) {
  return { client_id: id, file_name: file.name, content_type: file.type || 'video/mp4' };
}

/** Creates a source of parts of `partSize` bytes. */
function createFileSource(file: Blob, partSize: number): PartSource {
  return {
    async getPart(number) {
      const start = (number - 1) * partSize;
      return start < file.size ? file.slice(start, start + partSize) : null;
    },
  };
}

async function sendInParts(
  id: string,
  { file, title, date }: Upload,
  md5s: string[],
  sending: UploadEvents,
  signal: AbortSignal,
): Promise<UploadResult> {
  const details = { title, journal_date: toIso(date), size: file.size };
  const connected = <T>(work: () => Promise<T>) => retryUntilConnected(work, sending.onWaiting, signal);
  const { entryId, partSize } = await connected(() =>
    call(openUpload, { body: { ...openUploadBody(id, file), ...details }, signal, onExpired: 'throw' }),
  );
  sending.onOpened(entryId);
  for (let round = 1; ; round += 1) {
    await sendParts(entryId, createFileSource(file, partSize), md5s, sending, signal);
    try {
      const body = { ...details, parts: md5s };
      await connected(() =>
        call(finishUpload, { params: { id: entryId }, body, signal, onExpired: 'throw' }),
      );
      return { entryId, completionError: null };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 401) throw error;
      if (error.code !== 'upload_missing') return { entryId, completionError: error };
      if (round === MAX_ATTEMPTS) throw new StorageError();
    }
  }
}

/**
 * Uploads a video: in one piece if it's small, else in parts, resuming an earlier upload of the same id.
 * @param md5s the parts' checksums known so far; the rest are added
 * @throws StorageError, ApiError, or the signal's reason if it's aborted
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

/** Returns whether storage has this file, by size and by the checksums of its parts. */
export async function isStored(entryId: string, file: File, md5s: readonly string[]): Promise<boolean> {
  const { size, parts } = await call(getUpload, { params: { id: entryId }, onExpired: 'throw' });
  return size === file.size && md5s.every((md5, index) => parts[index]?.md5 === md5);
}

/** Aborts an upload, which frees its space right away. If this fails, the server does it a day later. */
export async function abortRemoteUpload(entryId: string): Promise<void> {
  await call(abortUpload, { params: { id: entryId }, onExpired: 'throw', keepalive: true }).catch(() => {});
}

/** Aborts an upload that another page started, of which only the client_id is known. */
export async function abortRemoteUploadByClientId(
  id: string,
  file: { name: string; type: string },
): Promise<void> {
  const body = openUploadBody(id, file);
  const found = await call(openUpload, { body, onExpired: 'throw' }).catch(() => null);
  if (found) await abortRemoteUpload(found.entryId);
}
