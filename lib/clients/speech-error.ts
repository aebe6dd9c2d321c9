import { withSafeMessage } from '@/lib/foundation/shared/safe-message';

/**
 * Why a transcription failed.
 *
 * - `rate_limited`: too many requests; try again after `retryAfterSeconds`, if given.
 * - `unavailable`: the service is down, broken, or too slow, or the call was canceled; a later attempt may succeed.
 * - `rejected`: the service refused this audio, and will refuse the same audio again.
 * - `nonsense`: the response can't be a transcript.
 * - `not_configured`: its URL, key, or model is wrong; someone must fix the settings.
 */
const KINDS = ['rate_limited', 'unavailable', 'rejected', 'nonsense', 'not_configured'] as const;
export type SpeechErrorKind = (typeof KINDS)[number];

/** An error's name is the only part that reliably survives the job service, so it contains the kind. */
const nameOf = (kind: SpeechErrorKind) => `SpeechError.${kind}`;

/** Returns the kind in a {@link SpeechError}'s name; undefined for any other error. */
export const speechErrorKind = ({ name }: Error): SpeechErrorKind | undefined =>
  KINDS.find((kind) => name === nameOf(kind));

/**
 * The only error that `transcribe` throws. Its message is a fixed sentence that's safe to show. It never quotes the
 * service, whose responses contain what was spoken.
 */
export class SpeechError extends Error {
  override readonly name: string;
  readonly retryAfterSeconds: number | undefined;
  /** The response's HTTP status, if there was a response. */
  readonly status: number | undefined;

  constructor(
    readonly kind: SpeechErrorKind,
    message: string,
    options: { retryAfterSeconds?: number | undefined; status?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = nameOf(kind);
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.status = options.status;
    withSafeMessage(this);
  }
}

const unavailable = 'The speech service isn’t responding right now.';

/** The longest wait accepted from a `Retry-After`: one day, in seconds. */
const longestWait = 86_400;

/** Returns the seconds to wait from a `Retry-After` header in seconds or as an HTTP date (RFC 9110, 10.2.3). */
function retryAfterSeconds(header: string | undefined): number | undefined {
  if (!header) return undefined;
  const seconds = /^\s*\d+(\.\d+)?\s*$/.test(header)
    ? Number(header)
    : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 0), longestWait) : undefined;
}

/** Returns the error for a request without a complete response: refused, cut off, too slow, or canceled. */
export function connectionError(cause: unknown): SpeechError {
  return new SpeechError('unavailable', unavailable, { cause });
}

/**
 * Returns the error for a response that can't be a transcript.
 * @param problem fixed text that says why, for the log; never anything from the response
 */
export function invalidResponseError(problem: string): SpeechError {
  const cause = withSafeMessage(new Error(problem));
  return new SpeechError('nonsense', 'The speech service didn’t return a transcript.', { cause });
}

/** Returns the error for any response other than a 200. */
export function statusError(status: number, header: string | undefined): SpeechError {
  const error = (kind: SpeechErrorKind, message: string) =>
    new SpeechError(kind, message, { status, retryAfterSeconds: retryAfterSeconds(header) });
  if (status === 429) return error('rate_limited', 'The speech service is busy. We’ll try again later.');
  if (status === 401 || status === 403)
    return error('not_configured', 'The speech service doesn’t accept the configured key.');
  if (status === 404 || status === 405 || (status >= 300 && status < 400))
    return error('not_configured', 'The speech service doesn’t recognize the configured address or model.');
  if (status >= 500 || status === 408 || status === 425) return error('unavailable', unavailable);
  if (status >= 400) return error('rejected', 'The speech service rejected this recording.');
  return invalidResponseError(`status ${status}`);
}
