import { reportProgress, retry, type TransferEvents } from '@/components/device/transfer/retry';
import { StorageError, UPLOAD_PROBLEMS } from '@/components/device/transfer/upload-problem';
import { call, type ResponseBody } from '@/lib/api/shared/client';
import { callInTime } from './call-in-time';
import { contentTypeOf } from './open-upload';
import { lastStorageUrl, type StorageRequest, sendToStorage } from './send-to-storage';

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

/** A file of at most one part. */
interface WholeFile {
  entryId: string;
  file: File;
  /** In base64. */
  md5: string;
  /** Where to send it; null if that was tried. */
  address: UploadAddress | null;
  /** Whether to ask first, since an earlier page may have sent it. */
  mayHaveArrived: boolean;
  /** Returns another address. */
  reserve(): Promise<{ presignedData: UploadAddress }>;
}

/**
 * Uploads a file in one piece. After a failed attempt, asks the server whether it has arrived after all, and for another
 * address, since the first one may have expired.
 * @throws StorageError; ApiError if a retry can't help; DOMException if the file can't be read anymore
 */
async function sendWhole(
  { entryId, file, md5, address, mayHaveArrived, reserve }: WholeFile,
  events: TransferEvents,
  signal: AbortSignal,
): Promise<void> {
  const advance = reportProgress(events);
  let next = address;
  let asksFirst = mayHaveArrived;

  async function hasArrived(): Promise<boolean> {
    const options = { params: { id: entryId }, onExpired: 'throw' } as const;
    const { complete, size, parts } = await callInTime(
      (inTime) => call('GET /entry/:id/upload', { ...options, signal: inTime }),
      signal,
    );
    return complete && size === file.size && parts[0]?.md5 === md5;
  }

  async function send(): Promise<void> {
    if (asksFirst && (await hasArrived())) return advance(file.size);
    const to = next ?? (await reserve()).presignedData;
    [next, asksFirst] = [null, true];
    await sendToStorage(wholeRequest(to, file, md5), signal, advance);
    advance(file.size);
  }

  await retry(send, events, signal, lastStorageUrl);
}

/** Whether storage's CORS rule has kept this page from sending a file in one piece, as those of earlier versions do. */
let isRefused = false;

/** Returns a function that uploads a file in one piece, or in parts once storage's CORS rule has turned out to refuse that. */
export function createWholeSender(whole: WholeFile, events: TransferEvents, signal: AbortSignal) {
  let next = whole;
  return async (sendInParts: () => Promise<void>): Promise<void> => {
    const file = next;
    next = { ...whole, address: null, mayHaveArrived: true };
    try {
      if (!isRefused) return await sendWhole(file, events, signal);
    } catch (error) {
      isRefused = error instanceof StorageError && error.problem === UPLOAD_PROBLEMS.storageRefusesSite;
      if (!isRefused) throw error;
    }
    await sendInParts();
  };
}
