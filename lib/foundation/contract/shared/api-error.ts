/** A failed call. Its message is the sentence to show, and `fields` has one for each bad input. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  /** @param retryAfter seconds to wait before the call is sent again, if the answer says so (RFC 9110, 10.2.3) */
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly fields: Record<string, string> = {},
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}

/**
 * Logs a failed call that the page does without, so that somebody who looks for the reason finds it. Made to be passed
 * on: `call(…).catch(logRejected)`. Ignores anything but an ApiError, such as a canceled call.
 * @returns null, in place of the answer
 */
export function logRejected(error: unknown): null {
  // Not an error or a warning: nothing that a person asked for has failed.
  // biome-ignore lint/suspicious/noConsole: other rejected requests are only logged (specification, 8)
  if (error instanceof ApiError) console.info('Rejecting', error);
  return null;
}

/** What a person is told when something before the app, such as a proxy, refuses a body for its size. */
const TOO_LARGE = 'That’s too large to send. Make it shorter, or split it up, and try again.';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Reads the error that an answer has. Of a proxy's own answer, only the status counts: its page isn't meant for people. */
export async function toApiError(response: Response): Promise<ApiError> {
  const json: unknown = await response.json().catch(() => null);
  const { code, message, fields } = isObject(json) ? json : {};
  if (response.status === 413 && typeof code !== 'string') return new ApiError(413, 'too_large', TOO_LARGE);
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiError(
    response.status,
    typeof code === 'string' ? code : 'unknown',
    typeof message === 'string' ? message : 'Network Error',
    isObject(fields) ? (fields as Record<string, string>) : {},
    Number.isFinite(seconds) ? seconds : null,
  );
}
