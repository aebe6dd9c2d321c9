import { errorMessage } from '@/components/ui/error-message';
import { ApiError, type Body, call } from '@/lib/contract/client';
import { type CalendarDate, toIso } from '@/lib/entries/calendar';
import { finishUpload, getUpload, openUpload } from '@/lib/uploads/routes';
import { callInTime } from './call-in-time';
import { openUploadBody } from './open-upload';
import { retry, type TransferEvents } from './retry';
import { type PartSource, sendParts } from './send-parts';
import { PROBLEMS, StorageError, type UploadProblem } from './upload-problem';

/** Returns the notice for an upload that failed. */
export function uploadErrorMessage(error: unknown): string {
  if (error instanceof StorageError)
    return 'Failed uploading file. Ensure the file is actually a proper video.';
  return error instanceof DOMException ? PROBLEMS.fileChanged.sentence : errorMessage(error);
}

/** Returns what's wrong with an upload that failed. */
export function uploadProblem(error: unknown): UploadProblem {
  if (error instanceof StorageError) return error.problem;
  if (error instanceof DOMException) return PROBLEMS.fileChanged;
  if (error instanceof ApiError && error.status === 0) return PROBLEMS.notReached;
  return { sentence: errorMessage(error), summary: 'An upload needs your attention' };
}

interface Upload {
  title: string;
  date: CalendarDate;
  file: File;
}

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
 * Sends the parts that storage doesn't have, and has the server confirm them.
 * @param details of the video, with its size in bytes
 * @param md5s the parts' checksums known so far, to which the rest are added
 * @returns why it wasn't confirmed; null if it was
 * @throws StorageError; ApiError; what the source throws; or the signal's reason if it's aborted
 */
export async function sendFile(
  entryId: string,
  source: PartSource,
  details: Omit<Body<typeof finishUpload>, 'parts'>,
  md5s: string[],
  events: TransferEvents,
  signal: AbortSignal,
): Promise<unknown> {
  const finishing = {
    params: { id: entryId },
    body: { ...details, parts: md5s },
    onExpired: 'throw',
  } as const;
  const finish = () => callInTime((inTime) => call(finishUpload, { ...finishing, signal: inTime }), signal);
  for (let round = 1; ; round += 1) {
    await sendParts(entryId, source, md5s, events, signal);
    try {
      await retry(finish, events, signal);
      return null;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 401) throw error;
      if (error.code !== 'upload_missing') return error;
      if (round === MAX_ATTEMPTS) throw new StorageError(PROBLEMS.notStored);
    }
  }
}

/**
 * Uploads a video in parts, resuming an earlier upload of the same id.
 * @param known the parts' checksums known so far, to which the rest are added; and whether to give up at once if the
 * server can't open the upload, since the person has just started it and still has the form
 * @throws StorageError; ApiError; DOMException if the file can't be read anymore; or the signal's reason if it's aborted
 */
export async function uploadFile(
  id: string,
  { file, title, date }: Upload,
  { md5s, stopsUnopened }: { md5s: string[]; stopsUnopened: boolean },
  events: UploadEvents,
  signal: AbortSignal,
): Promise<UploadResult> {
  const details = { title, journal_date: toIso(date), size: file.size };
  const opening = { body: { ...openUploadBody(id, file), ...details }, onExpired: 'throw' } as const;
  const open = () => callInTime((inTime) => call(openUpload, { ...opening, signal: inTime }), signal);
  const { entryId, partSize } = await (stopsUnopened ? open() : retry(open, events, signal));
  events.onOpened(entryId);
  const source = createFileSource(file, partSize);
  return { entryId, completionError: await sendFile(entryId, source, details, md5s, events, signal) };
}

/** Returns whether storage has all of this file, by its size and the checksum of every part. */
export async function isStored(entryId: string, file: File, md5s: readonly string[]): Promise<boolean> {
  const state = await call(getUpload, { params: { id: entryId }, onExpired: 'throw' });
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
  const opening = { body: openUploadBody(id, file), onExpired: 'throw' } as const;
  const open = () => callInTime((inTime) => call(openUpload, { ...opening, signal: inTime }), signal);
  const { entryId } = await retry(open, events, signal);
  events.onOpened(entryId);
  await sendParts(entryId, source, md5s, events, signal);
}
