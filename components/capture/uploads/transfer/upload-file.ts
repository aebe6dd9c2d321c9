import { retry, type TransferEvents } from '@/components/device/transfer/retry';
import {
  StorageError,
  UPLOAD_PROBLEMS,
  type UploadProblem,
} from '@/components/device/transfer/upload-problem';
import { errorMessage } from '@/components/ui/error-message';
import { call } from '@/lib/api/shared/client';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import { type CalendarDate, toIso } from '@/lib/journal/entries/shared/calendar';
import { callInTime } from './call-in-time';
import { md5Of } from './hash-blob';
import { declareUpload, knownSeconds, PART_BYTES } from './open-upload';
import { type PartSource, sendParts } from './send-parts';
import { createWholeSender } from './send-whole';

/** Returns the notice for an upload that failed. */
export function uploadErrorMessage(error: unknown): string {
  if (error instanceof StorageError)
    return 'Failed uploading file. Ensure the file is actually a proper video.';
  return error instanceof DOMException ? UPLOAD_PROBLEMS.fileChanged.sentence : errorMessage(error);
}

/** Returns what's wrong with an upload that failed. */
export function uploadProblem(error: unknown): UploadProblem {
  if (error instanceof StorageError) return error.problem;
  if (error instanceof DOMException) return UPLOAD_PROBLEMS.fileChanged;
  if (error instanceof ApiError && error.status === 0) return UPLOAD_PROBLEMS.notReached;
  return { sentence: errorMessage(error), summary: 'An upload needs your attention' };
}

/** What the server is told about a video to upload. */
export interface Upload {
  /** The client_id. For a recording, the id of its local copy. */
  id: string;
  file: File;
  title: string;
  date: CalendarDate;
}

/** A finished transfer: its entry, and whether the server confirmed it. */
export interface UploadResult {
  entryId: string;
  /** The checksums of its parts, in order. */
  md5s: readonly string[];
  /** Why it wasn't confirmed; null if it was. The server finds the file by itself later. */
  completionError: unknown;
}

export interface UploadEvents extends TransferEvents {
  /** Called once the upload has an entry, which has to be aborted if it's canceled. */
  onOpened(entryId: string): void;
}

/** How often to upload parts again that storage turns out not to have. */
const MAX_ATTEMPTS = 3;

/** Creates a source of parts of `partSize` bytes. */
export function createFileSource(file: Blob, partSize: number): PartSource {
  return {
    async getPart(number) {
      const start = (number - 1) * partSize;
      return start < file.size ? file.slice(start, start + partSize) : null;
    },
  };
}

/**
 * Sends a video, and has the server confirm it.
 * @param send sends what storage doesn't have
 * @returns why it wasn't confirmed; null if it was
 * @throws StorageError; ApiError; what `send` throws; or the signal's reason if it's aborted
 */
async function sendUntilComplete(
  entryId: string,
  send: () => Promise<void>,
  events: TransferEvents,
  signal: AbortSignal,
): Promise<unknown> {
  const options = { params: { id: entryId }, onExpired: 'throw' } as const;
  const complete = () =>
    callInTime((inTime) => call('GET /entry/:id/upload/complete', { ...options, signal: inTime }), signal);
  for (let round = 1; ; round += 1) {
    await send();
    try {
      await retry(complete, events, signal);
      return null;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 401) throw error;
      if (error.code !== 'upload_missing') return error;
      if (round === MAX_ATTEMPTS) throw new StorageError(UPLOAD_PROBLEMS.notStored);
    }
  }
}

/**
 * Sends the parts that storage doesn't have, and has the server confirm them.
 * @param md5s the parts' checksums known so far, to which the rest are added
 * @returns why it wasn't confirmed; null if it was
 * @throws StorageError; ApiError; what the source throws; or the signal's reason if it's aborted
 */
export function sendFile(
  entryId: string,
  source: PartSource,
  md5s: string[],
  events: TransferEvents,
  signal: AbortSignal,
): Promise<unknown> {
  return sendUntilComplete(entryId, () => sendParts(entryId, source, md5s, events, signal), events, signal);
}

/**
 * Uploads a video, resuming an earlier upload of the same id: in one piece if it's no longer than a part, and otherwise in
 * parts.
 * @param options the checksums of the parts that were sent while it was recorded, once all of them are; and whether to give
 * up at once if the server can't open the upload, since the user has just started it and still has the form
 * @throws StorageError; ApiError; DOMException if the file can't be read anymore; or the signal's reason if it's aborted
 */
export async function uploadFile(
  { id, file, title, date }: Upload,
  { sent, failFast }: { sent: Promise<string[]>; failFast: boolean },
  events: UploadEvents,
  signal: AbortSignal,
): Promise<UploadResult> {
  async function open() {
    const md5 = file.size <= PART_BYTES ? await md5Of(file) : undefined;
    const about = { title, journal_date: toIso(date), size: file.size, md5 };
    const query = { ...declareUpload(id, file), ...about, duration: knownSeconds.get(file) };
    const reserve = () =>
      callInTime(
        (inTime) => call('GET /presigned_url', { query, signal: inTime, onExpired: 'throw' }),
        signal,
      );
    const opened = await (failFast ? reserve() : retry(reserve, events, signal));
    events.onOpened(opened.metadata.entryId);
    return { ...opened, md5, reserve };
  }
  const [{ presignedData, metadata, md5, reserve }, md5s] = await Promise.all([open(), sent]);
  const { entryId } = metadata;
  const sendInParts = () => sendParts(entryId, createFileSource(file, PART_BYTES), md5s, events, signal);
  let send = sendInParts;
  if (md5) {
    md5s[0] = md5;
    const whole = { entryId, file, md5, address: presignedData, mayHaveArrived: !failFast, reserve };
    const sender = createWholeSender(whole, events, signal);
    send = () => sender(sendInParts);
  }
  return { entryId, md5s, completionError: await sendUntilComplete(entryId, send, events, signal) };
}

/** Returns whether storage has all of this file, by its size and the checksum of every part. */
export async function isStored(entryId: string, file: File, md5s: readonly string[]): Promise<boolean> {
  const state = await call('GET /entry/:id/upload', { params: { id: entryId }, onExpired: 'throw' });
  const stored = new Map(state.parts.map(({ number, md5 }) => [number, md5]));
  return (
    state.complete &&
    state.size === file.size &&
    stored.size === md5s.length &&
    md5s.every((md5, index) => stored.get(index + 1) === md5)
  );
}

/**
 * Uploads a recording while it's being made, each part once it's complete. {@link uploadFile} adds the rest, and what
 * it's called.
 * @param file what the recording will be
 * @param md5s gets the parts' checksums
 * @throws StorageError; ApiError; or the signal's reason if it's aborted
 */
export async function uploadWhileRecording(
  id: string,
  file: { name: string; type: string },
  source: PartSource,
  md5s: string[],
  events: UploadEvents,
  signal: AbortSignal,
): Promise<void> {
  const opening = { body: declareUpload(id, file), onExpired: 'throw' } as const;
  const open = () => callInTime((inTime) => call('POST /uploads', { ...opening, signal: inTime }), signal);
  const { entryId } = await retry(open, events, signal);
  events.onOpened(entryId);
  await sendParts(entryId, source, md5s, events, signal);
}
