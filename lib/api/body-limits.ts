import type { IncomingHttpHeaders } from 'node:http';
import { acceptsUnsignedJobs, env } from '@/lib/foundation/env';
import { operations } from './operations';

/** The largest body of an operation that sets no limit of its own, in bytes. */
export const JSON_LIMIT = 64_000;
export const WEBHOOK_LIMIT = 1_000_000;
/**
 * The largest call of the job service, in bytes. Inngest sends at most 4 MiB of a function's state and has the app
 * fetch larger state. Ours is a few kB, since steps return references.
 */
export const JOBS_LIMIT = 4_500_000;

interface LargerLimit {
  method: string;
  path: string;
  limit: number;
  /** The header without which the larger limit isn't given: a call that can't be genuine is refused unread. */
  signature?: string;
}

const LARGER_LIMITS = [
  ...operations.flatMap(({ method, path, bodyLimit }): LargerLimit[] =>
    bodyLimit ? [{ method, path: `/api/v1${path}`, limit: bodyLimit }] : [],
  ),
  { method: 'POST', path: '/api/webhooks/stripe', limit: WEBHOOK_LIMIT, signature: 'stripe-signature' },
  { method: 'POST', path: '/api/inngest', limit: JOBS_LIMIT, signature: 'x-inngest-signature' },
].map((entry: LargerLimit) => ({
  ...entry,
  pattern: new RegExp(`^${entry.path.replace(/:\w+/g, '[^/]+')}/?$`),
}));

const BODILESS_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Returns the largest body that a request may have, in bytes.
 * @param path without its query
 */
export function bodyLimitOf(method: string, path: string, headers: IncomingHttpHeaders): number {
  if (BODILESS_METHODS.includes(method)) return 0;
  const larger = LARGER_LIMITS.find((entry) => entry.method === method && entry.pattern.test(path));
  if (!larger) return JSON_LIMIT;
  const isSigned = !larger.signature || headers[larger.signature] !== undefined;
  const isUnsignedJob = larger.limit === JOBS_LIMIT && acceptsUnsignedJobs(env());
  return isSigned || isUnsignedJob ? larger.limit : JSON_LIMIT;
}
