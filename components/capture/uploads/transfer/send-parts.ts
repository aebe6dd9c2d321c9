import {
  callForUpload,
  reportProgress,
  retry,
  type TransferEvents,
} from '@/components/device/transfer/retry';
import { PartError } from '@/components/device/transfer/upload-problem';
import { md5Of } from './hash-blob';

/** Give up on a connection without progress after this long, such as after sleep; milliseconds. */
const STALL_TIMEOUT = 60_000;

/** Whether storage has let this page send bytes. */
let isCorsAllowed = false;

/** An address of storage, from the last request that this page sent to it. */
let lastUrl: string | null = null;

/** Returns an address of storage if this page has sent something to it. */
export const lastStorageUrl = (): string | null => lastUrl;

const codeOf = (answer: string) => /<Code>(\w+)<\/Code>/.exec(answer)?.[1] ?? '';

/** What storage takes a file, or a part of one, with. */
export interface StorageRequest {
  method: 'PUT' | 'POST';
  url: string;
  headers?: Record<string, string>;
  body: Blob | FormData;
  /** The bytes that the body has, maybe beside others. */
  content: Blob;
}

/** Sends a request from a service worker, which has no XMLHttpRequest and shows no progress. */
async function sendByFetch({ method, url, headers, body }: StorageRequest, signal: AbortSignal) {
  const response = await fetch(url, { method, body, headers: headers ?? {}, signal }).catch(() => null);
  signal.throwIfAborted();
  if (!response?.ok)
    throw new PartError(url, response?.status ?? 0, codeOf((await response?.text()) ?? ''), isCorsAllowed);
}

function sendByXhr(
  { method, url, headers = {}, body, content }: StorageRequest,
  signal: AbortSignal,
  onProgress: (sent: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    let watchdog = setTimeout(abort, STALL_TIMEOUT);
    const fail = (status: number, code = '') => reject(new PartError(url, status, code, isCorsAllowed));
    signal.addEventListener('abort', abort);
    // When the network goes away, a request may hang rather than fail.
    window.addEventListener('offline', abort);
    request.upload.onprogress = ({ loaded }) => {
      clearTimeout(watchdog);
      watchdog = setTimeout(abort, STALL_TIMEOUT);
      // The browser asks storage first, and sends nothing unless its CORS rule allows it: also a form, because somebody
      // listens to its progress.
      if (loaded > 0) isCorsAllowed = true;
      onProgress(Math.min(loaded, content.size));
    };
    request.onabort = () => (signal.aborted ? reject(signal.reason) : fail(0));
    request.onerror = () => fail(0);
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) return resolve();
      fail(request.status, codeOf(request.responseText));
    };
    request.onloadend = () => {
      clearTimeout(watchdog);
      signal.removeEventListener('abort', abort);
      window.removeEventListener('offline', abort);
    };
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.send(body);
  });
}

/**
 * Sends a file, or a part of one, to storage. Pages use XMLHttpRequest, since fetch doesn't report upload progress.
 * @param onProgress gets the bytes sent so far
 * @throws PartError; DOMException `NotReadableError` if the file was changed or deleted; or the signal's reason if it's
 * aborted
 */
export async function sendToStorage(
  request: StorageRequest,
  signal: AbortSignal,
  onProgress: (sent: number) => void,
): Promise<void> {
  lastUrl = request.url;
  try {
    if ('XMLHttpRequest' in globalThis) await sendByXhr(request, signal, onProgress);
    else await sendByFetch(request, signal);
  } catch (error) {
    // A file that was deleted looks like a lost connection.
    await request.content.slice(0, 1).arrayBuffer();
    throw error;
  }
}

/** Something to upload in parts. */
export interface PartSource {
  /** Returns a part by its number, from 1, once it's available; null past the last one. */
  getPart(number: number): Promise<Blob | null>;
}

/**
 * Uploads the parts that storage doesn't have yet, one at a time, so that a lost connection costs one part at most.
 * Asks the server which ones arrived after each loss.
 * @param md5s the checksums known so far, in order; the rest are added
 * @throws StorageError; ApiError if a retry can't help; DOMException if the file can't be read anymore
 */
export async function sendParts(
  entryId: string,
  source: PartSource,
  md5s: string[],
  events: TransferEvents,
  signal: AbortSignal,
): Promise<void> {
  const params = { id: entryId };
  let arrivedCount = 0;
  const advance = reportProgress(events);

  async function sendMissing(progressed: () => void): Promise<void> {
    const state = await callForUpload('GET /entry/:id/upload', { params }, signal);
    const arrived = new Map(state.parts.map((part) => [part.number, part]));
    if (arrived.size > arrivedCount) progressed();
    arrivedCount = arrived.size;
    let before = 0;
    for (let number = 1; ; number += 1) {
      const part = await source.getPart(number);
      if (!part) return;
      signal.throwIfAborted();
      md5s[number - 1] ??= await md5Of(part);
      const checksum = md5s[number - 1] ?? '';
      const there = arrived.get(number);
      const has = there?.size === part.size && there.md5 === checksum;
      if (!has && !state.complete) {
        const body = { parts: [{ number, size: part.size, md5: checksum }] };
        const { parts } = await callForUpload('POST /entry/:id/upload/parts', { params, body }, signal);
        const start = before;
        await sendToStorage(
          {
            method: 'PUT',
            url: parts[0]?.url ?? '',
            headers: { 'content-md5': checksum },
            // Without its type, which would be another signed header.
            body: part.slice(0, part.size, ''),
            content: part,
          },
          signal,
          (sent) => advance(start + sent),
        );
        arrivedCount += 1;
        progressed();
      }
      before += part.size;
      advance(before);
    }
  }

  await retry(sendMissing, events, signal, lastStorageUrl);
}
