import { AppError } from '@/lib/contract/errors';
import { createTokenBuckets } from '@/lib/limits/token-buckets';

/**
 * How many changes an account makes. More than any person, import, or upload: what imports an archive sends a few for each
 * video, one after the other.
 */
export const WRITES = { perSecond: 20, burst: 600 };

// One for each process: Next loads this module once for every bundle that imports it.
const shared = globalThis as typeof globalThis & { daylightWrites?: ReturnType<typeof createTokenBuckets> };
shared.daylightWrites ??= createTokenBuckets(WRITES);
const writes = shared.daylightWrites;

/** Counts a change by an account. @throws AppError `rate_limited` when there are more than {@link WRITES} allows */
export function countWrite(userId: string): void {
  const wait = writes.take(userId);
  if (wait === 0) return;
  throw new AppError('rate_limited', {
    message: 'Too many changes at once. Wait a moment and try again.',
    retryAfter: Math.ceil(wait),
  });
}
