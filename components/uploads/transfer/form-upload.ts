import { videoType } from '@/components/uploads/form/video-type';
import { api } from '@/lib/contract/client';
import { type CalendarDate, toIso } from '@/lib/entries/calendar';

export interface Upload {
  title: string;
  date: CalendarDate;
  file: File;
}

interface Reservation {
  presignedData: { url: string; fields: Record<string, string> };
  metadata: { entryId: string };
}

/** Storage refused the file or could not be reached. */
export class StorageError extends Error {}

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
export async function reserveSlot(upload: Upload, signal: AbortSignal): Promise<Reservation> {
  const key = reservationKey(upload);
  if (lastReservation?.key === key && Date.now() - lastReservation.madeAt < RESERVATION_MAX_AGE)
    return lastReservation.reservation;
  const query = new URLSearchParams({
    title: upload.title,
    journal_date: toIso(upload.date),
    file_name: upload.file.name,
    content_type: videoType(upload.file) ?? upload.file.type,
    size: String(upload.file.size),
  });
  const madeAt = Date.now();
  const reservation = await api<Reservation>('GET', `/presigned_url?${query}`, { signal, stay: true });
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
export function postForm(
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
export async function completeReservation({ metadata }: Reservation): Promise<void> {
  await api('GET', `/entry/${metadata.entryId}/upload/complete`, { stay: true });
  lastReservation = undefined;
}
