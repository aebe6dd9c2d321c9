import { PartError } from './upload-problem';

/** Give up on a connection without progress after this long, such as after sleep; milliseconds. */
const STALL_TIMEOUT = 60_000;

/** Whether storage has let this page send bytes. */
let isLetIn = false;

/**
 * Uploads one part. Uses XMLHttpRequest, since fetch doesn't report upload progress.
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
      fail(request.status, /<Code>(\w+)<\/Code>/.exec(request.responseText)?.[1]);
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
