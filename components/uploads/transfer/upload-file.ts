import { errorMessage } from '@/components/ui/error-message';
import { videoType } from '@/components/uploads/form/video-file';
import { type Answer, ApiError, call } from '@/lib/contract/client';
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
import { etagOfParts, etagOfWhole } from './md5';
import {
  createFileSource,
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
    return 'This file was moved or changed after you chose it. Please choose it again.';
  return errorMessage(error);
}

interface Upload {
  title: string;
  date: CalendarDate;
  file: File;
}

type Reservation = Answer<typeof contract.presignedUrl>;

/** An address lives an hour; an older reservation would run out while the file is on its way. In milliseconds. */
const RESERVATION_MAX_AGE = 50 * 60_000;

let lastReservation: { key: string; madeAt: number; reservation: Reservation } | undefined;

const reservationKey = ({ title, date, file }: Upload) =>
  JSON.stringify([title, toIso(date), file.name, file.size, file.type]);

/**
 * Reserves room for a video. A second try for the same title, date and file takes the first one's place, so that a
 * failed upload costs no second slot of the plan.
 * @returns the entry's id and where to send the file
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
    content_type: videoType(upload.file) ?? upload.file.type,
    size: upload.file.size,
  };
  const madeAt = Date.now();
  const reservation = await call(presignedUrl, { query, signal, stay: true });
  lastReservation = { key, madeAt, reservation };
  return reservation;
}

/** Forgets the reservation that a second try would take. */
export function forgetReservation(): void {
  lastReservation = undefined;
}

/**
 * Sends the file to storage as the form that the reservation describes; fetch has no progress, so XMLHttpRequest.
 * @param onProgress bytes of the file sent so far
 * @throws StorageError, or the signal's reason when it is aborted
 */
function postForm(
  { presignedData }: Reservation,
  file: File,
  signal: AbortSignal,
  onProgress: (sent: number) => void,
): Promise<void> {
  const form = new FormData();
  for (const [name, value] of Object.entries(presignedData.fields)) form.append(name, value);
  // A file whose type was guessed is sent with the type that was declared for it.
  form.append('file', new Blob([file], { type: videoType(file) ?? file.type }), file.name);
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
 * Says that the file has arrived, which starts its processing.
 * @throws ApiError
 */
async function completeReservation({ metadata }: Reservation): Promise<void> {
  await call(completeUpload, { params: { id: metadata.entryId }, stay: true });
  lastReservation = undefined;
}

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
  const connected = <T>(work: () => Promise<T>) => retryUntilConnected(work, sending.onWaiting, signal);
  const { entryId, partSize } = await connected(() =>
    call(openUpload, { body: { ...openUploadBody(id, file), ...said }, signal, stay: true }),
  );
  sending.onOpened(entryId);
  for (let round = 1; ; round += 1) {
    await sendParts(entryId, createFileSource(file, partSize), md5s, sending, signal);
    try {
      const body = { ...said, parts: md5s };
      await connected(() => call(finishUpload, { params: { id: entryId }, body, signal, stay: true }));
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
  const { size, etag } = await call(getUpload, { params: { id: entryId }, stay: true });
  if (size !== file.size) return false;
  if (!etag || !/^[0-9a-f]{32}(-\d+)?$/.test(etag)) return true;
  return etag === (md5s.length > 0 ? await etagOfParts(md5s) : await etagOfWhole(file));
}

/** Gives an upload up, so that its room is free at once. Whatever comes of it, the server does so a day later. */
export async function abortRemoteUpload(entryId: string): Promise<void> {
  await call(abortUpload, { params: { id: entryId }, stay: true, keepalive: true }).catch(() => {});
}

/** The same for one of which only the id is known here, as another page has begun it. */
export async function abortRemoteUploadByClientId(
  id: string,
  file: { name: string; type: string },
): Promise<void> {
  const body = { ...openUploadBody(id, file), content_type: videoType(file) ?? 'video/mp4' };
  const found = await call(openUpload, { body, stay: true }).catch(() => null);
  if (found) await abortRemoteUpload(found.entryId);
}
