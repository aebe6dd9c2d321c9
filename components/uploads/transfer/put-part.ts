import { PartError } from './upload-problem';

/** Give up on a connection without progress after this long, such as after sleep; milliseconds. */
const STALL_TIMEOUT = 60_000;

/** Whether storage has let this page send bytes. */
let isLetIn = false;

const codeOf = (answer: string) => /<Code>(\w+)<\/Code>/.exec(answer)?.[1] ?? '';

/** Uploads one part from a service worker, which has no XMLHttpRequest and shows no progress. */
async function fetchPart(url: string, part: Blob, md5: string, signal: AbortSignal): Promise<void> {
  const options = {
    method: 'PUT',
    body: part.slice(0, part.size, ''),
    headers: { 'content-md5': md5 },
    signal,
  };
  const response = await fetch(url, options).catch(() => null);
  signal.throwIfAborted();
  if (!response?.ok)
    throw new PartError(url, response?.status ?? 0, codeOf((await response?.text()) ?? ''), isLetIn);
}

/**
 * Uploads one part. Pages use XMLHttpRequest, since fetch doesn't report upload progress.
 * @param onProgress gets the bytes sent so far
 * @throws PartError, or the signal's reason if it's aborted
 */
export function putPart(
  url: string,
  part: Blob,
  md5: string,
  signal: AbortSignal,
  onProgress: (sent: number) => void,
): Promise<void> {
  if (!('XMLHttpRequest' in globalThis)) return fetchPart(url, part, md5, signal);
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    let watchdog = setTimeout(abort, STALL_TIMEOUT);
    const fail = (status: number, code = '') => reject(new PartError(url, status, code, isLetIn));
    signal.addEventListener('abort', abort);
    // When the network goes away, a request may hang rather than fail.
    window.addEventListener('offline', abort);
    request.upload.onprogress = ({ loaded }) => {
      clearTimeout(watchdog);
      watchdog = setTimeout(abort, STALL_TIMEOUT);
      // The browser asks storage first, and sends nothing unless its CORS rule allows it.
      if (loaded > 0) isLetIn = true;
      onProgress(Math.min(loaded, part.size));
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
    request.open('PUT', url);
    request.setRequestHeader('Content-MD5', md5);
    // Without a type, which would need another signed header.
    request.send(part.slice(0, part.size, ''));
  });
}
