import { errorMessage } from '@/components/ui/error-message';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';

/** What's wrong with an upload that waits or has failed. */
export interface UploadProblem {
  /** What happened, and what to do. */
  sentence: string;
  /** The same in a few words, for pages that don't show the whole queue. */
  summary: string;
}

export const UPLOAD_PROBLEMS = {
  offline: {
    sentence: 'No connection. Reconnecting… Nothing is lost.',
    summary: 'No connection. Reconnecting…',
  },
  notReached: {
    sentence: 'No connection. Check your network, then try again.',
    summary: 'No connection',
  },
  serviceDown: {
    sentence: 'One of our services isn’t responding. We’ll keep trying, and nothing is lost.',
    summary: 'A service isn’t responding. Retrying…',
  },
  storageDown: {
    sentence: 'Storage isn’t responding. We’ll keep trying, and nothing is lost.',
    summary: 'Storage isn’t responding. Retrying…',
  },
  storageRefusesSite: {
    sentence:
      'Storage doesn’t accept uploads from this site. Ask the site’s administrator to check storage’s CORS settings.',
    summary: 'Storage doesn’t accept uploads',
  },
  storageFull: {
    sentence: 'Storage is full. Ask the site’s administrator to add space, then try again.',
    summary: 'Storage is full',
  },
  storageRefused: {
    sentence:
      'Storage refused this video. Ask the site’s administrator to check its storage settings, then try again.',
    summary: 'Storage refused a video',
  },
  notStored: {
    sentence: 'Storage doesn’t have all of this video. Try again to send the rest.',
    summary: 'Storage is missing part of a video',
  },
  fileChanged: {
    sentence: 'This file was moved or changed after you chose it. Choose it again.',
    summary: 'A file was moved or changed',
  },
} satisfies Record<string, UploadProblem>;

/** Storage didn't take the file, and more retries won't help until somebody fixes `problem`. */
export class StorageError extends Error {
  constructor(readonly problem: UploadProblem) {
    super(problem.summary);
  }
}

/** Returns what's wrong with an upload that failed. */
export function problemOf(error: unknown): UploadProblem {
  if (error instanceof StorageError) return error.problem;
  if (error instanceof DOMException) return UPLOAD_PROBLEMS.fileChanged;
  if (error instanceof ApiError && error.status === 0) return UPLOAD_PROBLEMS.notReached;
  return { sentence: errorMessage(error), summary: 'An upload needs your attention' };
}

/** Returns the notice for an upload that failed. */
export function noticeOf(error: unknown): string {
  if (error instanceof StorageError)
    return 'Failed uploading file. Ensure the file is actually a proper video.';
  return error instanceof DOMException ? UPLOAD_PROBLEMS.fileChanged.sentence : errorMessage(error);
}

/** Storage rejected one part, or the connection to it broke. */
export class PartError extends Error {
  constructor(
    readonly url: string,
    /** 0 without a response that this page may read. */
    readonly status: number,
    /** S3's error code; empty if it's unknown. */
    readonly code: string,
    /** Whether storage has let this page send any bytes, of this part or another. */
    readonly isCorsAllowed: boolean,
  ) {
    super(`storage answered ${status} ${code}`);
  }
}

/** How long to wait for a sign of life, in milliseconds. */
const PROBE_TIMEOUT = 5000;

/** Returns whether anything answers at a URL. Needs no CORS rule. */
async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url, {
      method: 'HEAD',
      mode: 'no-cors',
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(PROBE_TIMEOUT),
    });
    return true;
  } catch {
    return false;
  }
}

/** Asks for a small file of the site that needs no session. */
const siteAnswers = () => answers('/manifest.webmanifest');

/**
 * Asks for an address without its signature, since the page's policy allows nothing on storage's host but the bucket. An
 * address of the site that leads there answers nothing without one, so it counts as the site.
 */
function storageAnswers(url: string): Promise<boolean> {
  const { origin, pathname } = new URL(url, globalThis.location?.href);
  return origin === globalThis.location?.origin ? siteAnswers() : answers(origin + pathname);
}

/** Codes of a full disk or bucket: MinIO's, Ceph's, Garage's and versitygw's names differ. */
const FULL = /QuotaExceeded|StorageFull|InsufficientStorage|DiskFull|NoSpace/i;
/** S3 sends 400 for a body that arrived too slowly. */
const SLOW = new Set(['RequestTimeout', 'SlowDown']);

/** Why an attempt failed that's worth repeating. @param retryAfter the milliseconds that the server asked to wait */
const waits = (problem: UploadProblem, retryAfter = 0) => ({ problem, isRefusal: false, retryAfter });
/** Storage won't take the part until somebody changes something, so only a few retries make sense. */
const refuses = (problem: UploadProblem) => ({ problem, isRefusal: true, retryAfter: 0 });

async function diagnosePart({ url, status, code, isCorsAllowed }: PartError) {
  if (status === 507 || FULL.test(code)) return refuses(UPLOAD_PROBLEMS.storageFull);
  if (status >= 500 || status === 408 || status === 429 || SLOW.has(code))
    return waits(UPLOAD_PROBLEMS.storageDown);
  if (status > 0) return refuses(UPLOAD_PROBLEMS.storageRefused);
  if (!navigator.onLine) return waits(UPLOAD_PROBLEMS.offline);
  // Once its CORS rule has let bytes pass, a connection that breaks before the next ones is just that.
  if (await storageAnswers(url))
    return isCorsAllowed ? waits(UPLOAD_PROBLEMS.offline) : refuses(UPLOAD_PROBLEMS.storageRefusesSite);
  return waits((await siteAnswers()) ? UPLOAD_PROBLEMS.storageDown : UPLOAD_PROBLEMS.offline);
}

const TRANSIENT_STATUSES = new Set([429, 502, 503, 504]);

/**
 * Finds out why an attempt failed.
 * @param storageUrl an address of storage, if one is known
 * @throws the error itself if a retry can't help
 */
export async function diagnose(error: unknown, storageUrl: string | null) {
  if (error instanceof PartError) return diagnosePart(error);
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 0) return waits(UPLOAD_PROBLEMS.offline);
  if (!TRANSIENT_STATUSES.has(error.status)) throw error;
  const isStorage = storageUrl !== null && !(await storageAnswers(storageUrl));
  const problem = isStorage ? UPLOAD_PROBLEMS.storageDown : UPLOAD_PROBLEMS.serviceDown;
  return waits(problem, (error.retryAfter ?? 0) * 1000);
}
