/** A failed call. Its message is the sentence to show, and `fields` has one for each bad input. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: Record<string, string>;
  /** Seconds to wait before the call is sent again, if the answer says so (RFC 9110, 10.2.3). */
  readonly retryAfter: number | null;

  constructor(
    status: number,
    code: string,
    message: string,
    fields: Record<string, string> = {},
    retryAfter: number | null = null,
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.retryAfter = retryAfter;
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

interface ErrorBody {
  message?: string;
  code?: string;
  fields?: Record<string, string>;
}

/** Reads the error that an answer has. */
export async function toApiError(response: Response): Promise<ApiError> {
  const body: ErrorBody = await response.json().catch(() => ({}));
  const { message = 'Network Error', code = 'unknown', fields } = body;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiError(response.status, code, message, fields, Number.isFinite(seconds) ? seconds : null);
}
