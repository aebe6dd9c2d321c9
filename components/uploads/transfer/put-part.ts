import { ConnectionLostError } from '@/components/uploads/queue/retry-until-connected';

/** Storage refused the bytes. */
export class PartRejectedError extends Error {}

/** A connection on which nothing moves for so long is dead, as after a sleep; milliseconds. */
const STALL_TIMEOUT = 60_000;

/**
 * Sends one part to its address; fetch has no progress, so XMLHttpRequest.
 * @param onProgress bytes sent so far
 * @throws CutError, RefusedError, or the signal's reason when it is aborted
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
    signal.addEventListener('abort', abort);
    // What is on its way when the network goes may hang rather than fail.
    window.addEventListener('offline', abort);
    request.upload.onprogress = ({ loaded }) => {
      clearTimeout(watchdog);
      watchdog = setTimeout(abort, STALL_TIMEOUT);
      onProgress(Math.min(loaded, part.size));
    };
    request.onabort = () => reject(signal.aborted ? signal.reason : new ConnectionLostError());
    request.onerror = () => reject(new ConnectionLostError());
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve();
      else reject(request.status >= 500 ? new ConnectionLostError() : new PartRejectedError());
    };
    request.onloadend = () => {
      clearTimeout(watchdog);
      signal.removeEventListener('abort', abort);
      window.removeEventListener('offline', abort);
    };
    request.open('PUT', url);
    request.setRequestHeader('Content-MD5', md5);
    // Without a type, so that the preflight asks for one header only and the signature needs no more.
    request.send(part.slice(0, part.size, ''));
  });
}
