/**
 * Why a transcription did not come.
 *
 * - `rate_limited`: the service asks for patience; try again after `retryAfterSeconds` where given.
 * - `unavailable`: it is down, broken, too slow, or the call was cancelled; a later try may succeed.
 * - `rejected`: it refused this audio; the same audio will be refused again.
 * - `nonsense`: it answered something that cannot be a transcript.
 * - `not_configured`: no engine, or one whose address, key or model is wrong; a person must act.
 */
export type SpeechErrorKind = 'rate_limited' | 'unavailable' | 'rejected' | 'nonsense' | 'not_configured';

/** The only error that `transcribe` throws. Its message is a sentence that a person may read. */
export class SpeechError extends Error {
  override readonly name = 'SpeechError';
  readonly kind: SpeechErrorKind;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    kind: SpeechErrorKind,
    message: string,
    options: { retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

const unavailable = 'The speech service does not answer at the moment.';

/** The longest wait taken from a `Retry-After`: one day, in seconds. */
const longestWait = 86_400;

/** `Retry-After` in seconds from now, given as seconds or as an HTTP date (RFC 9110, 10.2.3). */
export function retryAfterSeconds(header: string | undefined, now = Date.now()): number | undefined {
  if (!header) return undefined;
  const seconds = /^\s*\d+(\.\d+)?\s*$/.test(header) ? Number(header) : (Date.parse(header) - now) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 0), longestWait) : undefined;
}

/** A request that got no complete answer: refused, cut, too slow or cancelled. */
export function connectionError(cause: unknown): SpeechError {
  return new SpeechError('unavailable', unavailable, { cause });
}

/** An answer that cannot be a transcript; `detail` says why, for the log. */
export function nonsenseError(detail: string | undefined): SpeechError {
  return new SpeechError('nonsense', 'The speech service gave an answer that is no transcript.', {
    cause: detail,
  });
}

/** Any answer but a 200, as the error it means. `body` is whatever came with it. */
export function statusError(status: number, header: string | undefined, body: string): SpeechError {
  const { message, code } = openAiError(body);
  const wait = retryAfterSeconds(header);
  const options = {
    cause: `${status} ${message}`.trim(),
    ...(wait !== undefined && { retryAfterSeconds: wait }),
  };
  if (status === 429) {
    return new SpeechError(
      'rate_limited',
      'The speech service is busy. It will be asked again later.',
      options,
    );
  }
  if (status === 501 && code === 'no_engine') return new SpeechError('not_configured', message, options);
  if (status === 400 && code === 'unsupported_language') return new SpeechError('rejected', message, options);
  if (status === 401 || status === 403) {
    return new SpeechError(
      'not_configured',
      'The speech service does not accept the configured key.',
      options,
    );
  }
  if (status === 404 || status === 405 || (status >= 300 && status < 400)) {
    return new SpeechError(
      'not_configured',
      'The speech service does not know the configured address or model.',
      options,
    );
  }
  if (status >= 500 || status === 408 || status === 425) {
    return new SpeechError('unavailable', unavailable, options);
  }
  if (status >= 400)
    return new SpeechError('rejected', 'The speech service refused this recording.', options);
  return nonsenseError(`status ${status}`);
}

/** What the service says in OpenAI's error shape, bounded; empty strings for anything else. */
function openAiError(body: string): { message: string; code: string } {
  try {
    const error: unknown = JSON.parse(body)?.error;
    if (error === null || typeof error !== 'object') return { message: '', code: '' };
    const { message, code } = error as { message?: unknown; code?: unknown };
    return {
      message: typeof message === 'string' ? message.slice(0, 500) : '',
      code: typeof code === 'string' ? code : '',
    };
  } catch {
    return { message: '', code: '' };
  }
}
