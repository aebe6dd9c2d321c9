import { withSafeMessage } from '@/lib/foundation/shared/safe-message';

/** The closed table of errors that an answer can carry: code → status and the sentence used when none is given. */
export const ERRORS = {
  bad_request: [400, 'We couldn’t read that request. Reload the page and try again.'],
  validation_failed: [400, 'Check the highlighted fields and try again.'],
  invalid_or_expired_link: [400, 'This link is no longer valid. Request a new one.'],
  unauthenticated: [401, 'Log in to continue.'],
  invalid_credentials: [401, 'Incorrect email or password.'],
  email_not_verified: [403, 'Verify your email address first.'],
  cross_site_request: [403, 'We blocked this request because it came from another site.'],
  quota_reached: [403, "You have reached your plan's quota."],
  not_found: [404, 'We couldn’t find that.'],
  upload_missing: [409, 'The video hasn’t arrived yet. Upload it again.'],
  conflict: [409, 'This was changed elsewhere. Reload the page to see the latest version.'],
  too_large: [413, 'That’s too large.'],
  unsupported_media_type: [415, 'Please upload a video file.'],
  rate_limited: [429, 'Too many attempts. Wait a moment and try again.'],
  internal: [500, 'Something went wrong on our end. Try again in a moment.'],
  unavailable: [503, 'We can’t reach one of our services right now. Try again in a moment.'],
  billing_off: [503, 'This site doesn’t charge for plans, so there’s nothing to buy or change.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof ERRORS;

/** When to ask again where a needed service doesn't answer and nobody knows for how long. */
export const RETRY_SECONDS = 5;

interface Details {
  /** A sentence a person can act on; the table's own when left out. */
  message?: string;
  /** Names of bad inputs, each with its sentence. */
  fields?: Record<string, string>;
  /** Whole seconds, for `rate_limited` and `unavailable`; the latter defaults to {@link RETRY_SECONDS}. */
  retryAfter?: number;
  cause?: unknown;
}

/** The one error that services throw on purpose; `endpoint` turns it into a status by {@link ERRORS}. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly fields: Record<string, string> | undefined;
  readonly retryAfter: number | undefined;

  constructor(
    readonly code: ErrorCode,
    details: Details = {},
  ) {
    super(details.message ?? ERRORS[code][1], { cause: details.cause });
    withSafeMessage(this);
    this.fields = details.fields;
    this.retryAfter = details.retryAfter ?? (code === 'unavailable' ? RETRY_SECONDS : undefined);
  }

  get status(): number {
    return ERRORS[this.code][0];
  }
}
