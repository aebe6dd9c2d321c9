import { PartError } from '@/components/device/transfer/upload-problem';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import { PIECE_BYTES, type Piece } from './saved-entry-store';

/** How long to wait for a sign of life, in milliseconds. */
const PROBE_TIMEOUT = 5000;

/** Returns the size of a whole file from a Content-Range header; null if that's missing or doesn't say. */
export function totalOf(contentRange: string | null): number | null {
  const [, total] = /^bytes \d+-\d+\/(\d+)$/.exec(contentRange ?? '') ?? [];
  return total === undefined ? null : Number(total);
}

/**
 * Finds out why a page got no answer that it may read.
 * @param isCorsAllowed whether storage has let this page read any piece of this video
 */
async function explainFailure(address: string, isCorsAllowed: boolean): Promise<Error> {
  try {
    // Needs no CORS rule, and follows the redirect to storage.
    await fetch(address, {
      method: 'HEAD',
      mode: 'no-cors',
      cache: 'no-store',
      signal: AbortSignal.timeout(PROBE_TIMEOUT),
    });
  } catch {
    return new ApiError(0, 'network', 'Network Error');
  }
  return new PartError(address, 0, '', isCorsAllowed);
}

/**
 * Downloads a piece of a video. Asks the app for storage's address each time, so that a download ends with the session.
 * @param videoUrl the entry's
 * @throws ApiError without a network; PartError if the app or storage refuses, or CORS keeps the page from reading
 */
export async function fetchPiece(videoUrl: string, index: number, signal: AbortSignal): Promise<Piece> {
  const address = new URL(videoUrl, window.location.href).href;
  const start = index * PIECE_BYTES;
  try {
    // What `<video>` left in the browser's cache can't be read from here.
    const response = await fetch(address, {
      headers: { range: `bytes=${start}-${start + PIECE_BYTES - 1}` },
      cache: 'no-store',
      signal,
    });
    if (!response.ok) throw new PartError(address, response.status, '', index > 0);
    const total = totalOf(response.headers.get('content-range'));
    // Without a rule that exposes the header.
    if (total === null) throw new PartError(address, 0, '', false);
    const blob = await response.blob();
    if (blob.size !== Math.min(PIECE_BYTES, total - start)) throw new ApiError(0, 'network', 'Network Error');
    return { blob, total, etag: response.headers.get('etag') };
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof TypeError ? await explainFailure(address, index > 0) : error;
  }
}
