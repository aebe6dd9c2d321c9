import type { Refusal } from '@/lib/foundation/admission';
import { AppError, RETRY_SECONDS } from '@/lib/foundation/contract/errors';

/** What a refused request's sender is told. */
const MESSAGES: Record<Refusal, string> = {
  rate_limited: 'Too many requests at once. Wait a moment and try again.',
  unavailable: 'Daylight is busy right now. Try again in a moment.',
};

/** Returns the error of a request that isn't worked on, as too many are. */
export const refusalError = (refusal: Refusal): AppError =>
  new AppError(refusal, { message: MESSAGES[refusal], retryAfter: RETRY_SECONDS });
