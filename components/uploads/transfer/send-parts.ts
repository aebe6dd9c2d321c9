import { ApiError, call } from '@/lib/contract/client';
import { getUpload, signParts } from '@/lib/uploads/routes';
import { md5Of } from './md5';

/** Storage refused the file or could not be reached. */
export class StorageError extends Error {}

/** A connection to storage that broke, or an answer that says to come again. */
class ConnectionLostError extends Error {}

const MAX_DELAY = 20_000;

/** Waits before another try: 1 s, doubling, at most 20 s; less when the network or the person comes back. */
function backOff(attempt: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const { signal: ended } = over;
    const wake = () => {
      over.abort();
      clearTimeout(timer);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    };
    const seen = () => document.visibilityState === 'visible' && wake();
    const timer = setTimeout(wake, Math.min(1000 * 2 ** attempt, MAX_DELAY));
    signal.addEventListener('abort', wake, { signal: ended });
    window.addEventListener('online', wake, { signal: ended });
    document.addEventListener('visibilitychange', seen, { signal: ended });
  });
}

const TRANSIENT_STATUSES = new Set([0, 429, 502, 503, 504]);

function isTransient(error: unknown): boolean {
  return (
    error instanceof ConnectionLostError ||
    (error instanceof ApiError && TRANSIENT_STATUSES.has(error.status))
  );
}

/**
 * Does a piece of work, again and again while only the connection is at fault: it never gives up by itself.
 * @param waiting called with true when the connection was lost, with false when it is there again
 */
export async function retryUntilConnected<T>(
  work: (progressed: () => void) => Promise<T>,
  waiting: (waits: boolean) => void,
  signal: AbortSignal,
): Promise<T> {
  let attempt = 0;
  const progressed = () => {
    attempt = 0;
    waiting(false);
  };
  for (;;) {
    try {
      const done = await work(progressed);
      waiting(false);
      return done;
    } catch (error) {
      signal.throwIfAborted();
      if (!isTransient(error)) throw error;
      waiting(true);
      await backOff(attempt, signal);
      attempt += 1;
    }
  }
}

/** Storage rejected the bytes of one part. */
class PartRejectedError extends Error {}

/** A connection on which nothing moves for so long is dead, as after a sleep; milliseconds. */
const STALL_TIMEOUT = 60_000;

/**
 * Sends one part to its address; fetch has no progress, so XMLHttpRequest.
 * @param onProgress bytes sent so far
 * @throws CutError, RefusedError, or the signal's reason when it is aborted
 */
function putPart(
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

/** What is sent in parts. */
export interface PartSource {
  /** A part by its number, from 1; waits for one that is still being made. Null past the last one. */
  getPart(number: number): Promise<Blob | null>;
}

export interface TransferEvents {
  /** Bytes that storage has, or that are on their way in the part at hand. */
  onProgress(sent: number): void;
  /** Whether it waits for the connection. */
  onWaiting(waits: boolean): void;
}

/** An address that was refused may have expired, and storage may have lost the upload: both are mended by asking anew. */
const MAX_REFUSALS = 4;

/** A file in parts of `partSize` bytes. */
export function createFileSource(file: Blob, partSize: number): PartSource {
  return {
    async getPart(number) {
      const start = (number - 1) * partSize;
      return start < file.size ? file.slice(start, start + partSize) : null;
    },
  };
}

/**
 * Sends what storage does not have yet, one part after the other, so that a cut costs one part at most. After every
 * cut storage is asked what has arrived.
 * @param md5s what is known already of the parts' checksums, in order; the rest is added
 * @throws StorageError; ApiError for what no waiting mends; DOMException when the file cannot be read any more
 */
export async function sendParts(
  entryId: string,
  source: PartSource,
  md5s: string[],
  { onProgress, onWaiting }: TransferEvents,
  signal: AbortSignal,
): Promise<void> {
  const params = { id: entryId };
  let refusals = 0;

  async function sendMissing(connected: () => void): Promise<void> {
    const state = await call(getUpload, { params, signal, stay: true });
    const arrived = new Map(state.parts.map((part) => [part.number, part]));
    connected();
    let before = 0;
    for (let number = 1; ; number += 1) {
      const part = await source.getPart(number);
      if (!part) return;
      signal.throwIfAborted();
      md5s[number - 1] ??= await md5Of(part);
      const md5 = md5s[number - 1] ?? '';
      const there = arrived.get(number);
      const has = there?.size === part.size && (there.md5 === null || there.md5 === md5);
      if (!has && !state.complete) {
        const body = { parts: [{ number, size: part.size, md5 }] };
        const { parts } = await call(signParts, { params, body, signal, stay: true });
        const start = before;
        // A file that has gone would look like a connection that is down.
        await part.slice(0, 1).arrayBuffer();
        await putPart(parts[0]?.url ?? '', part, md5, signal, (sent) => onProgress(start + sent));
        refusals = 0;
        connected();
      }
      before += part.size;
      onProgress(before);
    }
  }

  for (;;) {
    try {
      return await retryUntilConnected(sendMissing, onWaiting, signal);
    } catch (error) {
      if (!(error instanceof PartRejectedError)) throw error;
      refusals += 1;
      if (refusals > MAX_REFUSALS) throw new StorageError();
    }
  }
}
