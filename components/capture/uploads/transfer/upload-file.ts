import {
  callForUpload,
  reportProgress,
  retry,
  type TransferEvents,
} from '@/components/device/transfer/retry';
import { StorageError, UPLOAD_PROBLEMS } from '@/components/device/transfer/upload-problem';
import type { ResponseBody } from '@/lib/api/shared/client';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import { type CalendarDate, toIso } from '@/lib/journal/entries/shared/calendar';
import { md5Of } from './hash-blob';
import { contentTypeOf, declareUpload, knownSeconds, PART_BYTES } from './open-upload';
import { lastStorageUrl, type PartSource, type StorageRequest, sendParts, sendToStorage } from './send-parts';

/** What the server is told about a video to upload. */
export interface Upload {
  /** The client_id. For a recording, the id of its local copy. */
  id: string;
  file: File;
  title: string;
  date: CalendarDate;
  /** The question that it answers; empty for none, so that one that an earlier try sent goes. */
  question?: string;
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
  const complete = () => callForUpload('GET /entry/:id/upload/complete', { params: { id: entryId } }, signal);
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

/** What the server returns for a file that's sent in one piece. */
type UploadAddress = ResponseBody<'GET /presigned_url'>['presignedData'];

/** Returns the request for a file: a form with the signed fields or, where storage takes none, just the file. */
function wholeRequest({ url, fields, method }: UploadAddress, file: File, md5: string): StorageRequest {
  if (method === 'PUT') {
    const headers = { 'content-md5': md5, 'content-type': contentTypeOf(file) };
    return { method, url, headers, body: file, content: file };
  }
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  // At the end, since storage ignores what comes after it.
  form.append('file', file, file.name);
  return { method: 'POST', url, body: form, content: file };
}

/** Opens an upload, or finds it again. @param failFast whether to give up at once if the server can't open it */
async function open(
  { id, file, title, date, question }: Upload,
  failFast: boolean,
  events: UploadEvents,
  signal: AbortSignal,
) {
  const md5 = file.size <= PART_BYTES ? await md5Of(file) : undefined;
  const about = { title, journal_date: toIso(date), question, size: file.size, md5 };
  const query = { ...declareUpload(id, file), ...about, duration: knownSeconds.get(file) };
  /** Returns another address for a file that's sent in one piece. */
  const reserve = () => callForUpload('GET /presigned_url', { query }, signal);
  const { presignedData: address, metadata } = await (failFast ? reserve() : retry(reserve, events, signal));
  const { entryId } = metadata;
  events.onOpened(entryId);
  // Unless the user has just started it, an earlier page may have sent it.
  return { entryId, file, md5, address, mayHaveArrived: !failFast, reserve };
}

/** Whether storage's CORS rule has kept this page from sending a file in one piece, as those of earlier versions do. */
let isRefused = false;

/**
 * Returns a function that uploads a file in one piece, or in parts once storage's CORS rule has turned out to refuse that.
 * After a failed attempt, it asks the server whether the file has arrived after all, and for another address, since the
 * first one may have expired. It throws a StorageError, an ApiError if a retry can't help, or a DOMException if the file
 * can't be read anymore.
 */
function createWholeSender(
  {
    entryId,
    file,
    md5,
    address,
    mayHaveArrived,
    reserve,
  }: Awaited<ReturnType<typeof open>> & { md5: string },
  sendInParts: () => Promise<void>,
  events: TransferEvents,
  signal: AbortSignal,
): () => Promise<void> {
  let next: UploadAddress | null = address;
  let asksFirst = mayHaveArrived;

  async function hasArrived(): Promise<boolean> {
    const params = { id: entryId };
    const { complete, size, parts } = await callForUpload('GET /entry/:id/upload', { params }, signal);
    return complete && size === file.size && parts[0]?.md5 === md5;
  }

  async function send(advance: (sent: number) => void): Promise<void> {
    const isThere = asksFirst && (await hasArrived());
    const to = isThere ? null : (next ?? (await reserve()).presignedData);
    [next, asksFirst] = [null, true];
    if (to) await sendToStorage(wholeRequest(to, file, md5), signal, advance);
    advance(file.size);
  }

  return async () => {
    const advance = reportProgress(events);
    try {
      if (!isRefused) return await retry(() => send(advance), events, signal, lastStorageUrl);
    } catch (error) {
      isRefused = error instanceof StorageError && error.problem === UPLOAD_PROBLEMS.storageRefusesSite;
      if (!isRefused) throw error;
    }
    await sendInParts();
  };
}

/**
 * Uploads a video, resuming an earlier upload of the same id: in one piece if it's no longer than a part, and otherwise in
 * parts.
 * @param options the checksums of the parts that were sent while it was recorded, once all of them are; and whether to give
 * up at once if the server can't open the upload, since the user has just started it and still has the form
 * @returns its entry; the checksums of its parts, in order; and why the server didn't confirm it, or null if it did. The
 * server finds the file by itself later
 * @throws StorageError; ApiError; DOMException if the file can't be read anymore; or the signal's reason if it's aborted
 */
export async function uploadFile(
  upload: Upload,
  { sent, failFast }: { sent: Promise<string[]>; failFast: boolean },
  events: UploadEvents,
  signal: AbortSignal,
): Promise<{ entryId: string; md5s: readonly string[]; completionError: unknown }> {
  const [opened, md5s] = await Promise.all([open(upload, failFast, events, signal), sent]);
  const { entryId, file, md5 } = opened;
  let send = () => sendParts(entryId, createFileSource(file, PART_BYTES), md5s, events, signal);
  if (md5) {
    md5s[0] = md5;
    send = createWholeSender({ ...opened, md5 }, send, events, signal);
  }
  return { entryId, md5s, completionError: await sendUntilComplete(entryId, send, events, signal) };
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
  const open = () => callForUpload('POST /uploads', { body: declareUpload(id, file) }, signal);
  const { entryId } = await retry(open, events, signal);
  events.onOpened(entryId);
  await sendParts(entryId, source, md5s, events, signal);
}
