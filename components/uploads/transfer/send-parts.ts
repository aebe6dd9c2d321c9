// Loaded up front, since the network may be gone by the time a recording needs it.
import { md5 } from '@noble/hashes/legacy.js';
import { ApiError, call } from '@/lib/contract/client';
import { getUpload, signParts } from '@/lib/uploads/routes';

/** Storage refused the file or could not be reached. */
export class StorageError extends Error {}

/** Bytes to read and hash at a time: about 3 ms, so that the page stays responsive. */
const CHUNK_SIZE = 512 * 1024;

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));

async function digest(blob: Blob): Promise<Uint8Array> {
  const hash = md5.create();
  for (let at = 0; at < blob.size; at += CHUNK_SIZE) {
    hash.update(new Uint8Array(await blob.slice(at, at + CHUNK_SIZE).arrayBuffer()));
  }
  return hash.digest();
}

/**
 * Returns the MD5 of a blob in base64, for Content-MD5 (RFC 1864).
 * @throws DOMException `NotReadableError` if the file was changed or deleted
 */
const md5Of = async (blob: Blob): Promise<string> => toBase64(await digest(blob));

/** The connection to storage broke, or storage asked to retry. */
class ConnectionLostError extends Error {}

const MAX_DELAY = 20_000;

/** Waits before a retry: 1 s, doubling up to 20 s; less if the network or the person comes back. */
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
 * Retries work until it succeeds or fails for another reason than the connection.
 * @param waiting called with true when the connection is lost, and with false when it's back
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

/** Give up on a connection without progress after this long, such as after sleep; milliseconds. */
const STALL_TIMEOUT = 60_000;

/**
 * Uploads one part. Uses XMLHttpRequest, since fetch doesn't report upload progress.
 * @param onProgress gets the bytes sent so far
 * @throws ConnectionLostError, PartRejectedError, or the signal's reason if it's aborted
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
    // When the network goes away, a request may hang rather than fail.
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
    // Without a type, which would need another signed header.
    request.send(part.slice(0, part.size, ''));
  });
}

/** Something to upload in parts. */
export interface PartSource {
  /** Returns a part by its number, from 1, once it's available; null past the last one. */
  getPart(number: number): Promise<Blob | null>;
}

export interface TransferEvents {
  /** Called with the bytes stored or sent so far. */
  onProgress(sent: number): void;
  /** Called with whether it's waiting for the connection. */
  onWaiting(waits: boolean): void;
}

/** Half of the estimate's weight is on samples newer than this: stable but responsive. In milliseconds. */
const HALF_LIFE = 10_000;
/** No estimate before this many milliseconds of uploading. */
const WARM_UP = 3000;

/** Estimates the time left from the recent transfer rate. Times are milliseconds of one clock. */
export function createTransferRate() {
  let [since, bytes] = [Number.NaN, 0];
  let [spent, moved] = [0, 0];
  return {
    /** Records the bytes sent up to `now`. Ignores pauses and the drop after a lost connection. */
    record(sent: number, now: number): void {
      const elapsed = now - since;
      if (elapsed < 100) return;
      if (elapsed > 0 && elapsed < 5000 && sent >= bytes) {
        const fade = 0.5 ** (elapsed / HALF_LIFE);
        spent = spent * fade + elapsed;
        moved = moved * fade + (sent - bytes);
      }
      [since, bytes] = [now, sent];
    },
    /** Returns the seconds until `total` bytes are sent; null while unknown. */
    secondsLeft(total: number): number | null {
      if (spent < WARM_UP || moved <= 0) return null;
      return ((total - bytes) / moved) * (spent / 1000);
    },
  };
}

/** How often to retry a rejected part: its URL may have expired, or storage may have lost the upload. */
const MAX_REFUSALS = 4;

/**
 * Uploads the parts that storage doesn't have yet, one at a time, so that a lost connection costs one part at most.
 * Asks storage what it has after each loss.
 * @param md5s the checksums known so far, in order; the rest are added
 * @throws StorageError; ApiError if a retry can't help; DOMException if the file can't be read anymore
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
    const state = await call(getUpload, { params, signal, onExpired: 'throw' });
    const arrived = new Map(state.parts.map((part) => [part.number, part]));
    connected();
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
        const { parts } = await call(signParts, { params, body, signal, onExpired: 'throw' });
        const start = before;
        // A deleted file would look like a lost connection.
        await part.slice(0, 1).arrayBuffer();
        await putPart(parts[0]?.url ?? '', part, checksum, signal, (sent) => onProgress(start + sent));
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
