import { AppError } from '@/lib/foundation/contract/errors';
import { perProcess } from '@/lib/foundation/shared/per-process';
import { createTokenBuckets } from '@/lib/limits/token-buckets';

/**
 * How many changes an account makes. More than any person, import, or upload: what imports an archive sends a few for each
 * video, one after the other.
 */
export const WRITES = { perSecond: 20, burst: 600 };

const writes = perProcess('writes', () => createTokenBuckets(WRITES));

/**
 * How many bytes that compression saved count as one more change. Parsing JSON blocks the thread, 5 MB for up to 0.1 s, and
 * a few kB may become that much: at 5 MB a second, an account takes no more than a tenth of it.
 */
const INFLATED_BYTES = 250_000;

/** Counts changes by an account. @throws AppError `rate_limited` when there are more than {@link WRITES} allows */
export function countWrite(userId: string, count = 1): void {
  const wait = writes.take(userId, count);
  if (wait === 0) return;
  throw new AppError('rate_limited', {
    message: 'Too many changes at once. Wait a moment and try again.',
    retryAfter: Math.ceil(wait),
  });
}

/**
 * Counts what an account's compressed body has become, before it's parsed.
 * @param bytes how many more than were sent
 * @throws AppError `rate_limited` when it's too much, together with the account's changes
 */
export function countInflated(userId: string, bytes: number): void {
  const count = Math.floor(bytes / INFLATED_BYTES);
  if (count > 0) countWrite(userId, count);
}
