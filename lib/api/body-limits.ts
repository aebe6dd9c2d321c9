import type { IncomingHttpHeaders } from 'node:http';
import { acceptsUnsignedJobs, env } from '@/lib/foundation/env';
import { operationsAt } from './paths';

/** The largest body of an operation that sets no limit of its own, in bytes. */
export const JSON_LIMIT = 64_000;
export const WEBHOOK_LIMIT = 1_000_000;
/**
 * The largest call of the job service, in bytes. Inngest sends at most 4 MiB of a function's state and has the app
 * fetch larger state. Ours is a few kB, since steps return references.
 */
export const JOBS_LIMIT = 4_500_000;

/** Calls of other services, and the header without which one gets no larger limit: it can't be genuine. */
const SIGNED = [
  { path: /^\/api\/webhooks\/stripe\/?$/, limit: WEBHOOK_LIMIT, signature: 'stripe-signature' },
  { path: /^\/api\/inngest\/?$/, limit: JOBS_LIMIT, signature: 'x-inngest-signature' },
];

const BODILESS_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Returns the largest body that a request may have, in bytes.
 * @param path without its query
 */
export function bodyLimitOf(method: string, path: string, headers: IncomingHttpHeaders): number {
  if (BODILESS_METHODS.includes(method)) return 0;
  const call = method === 'POST' ? SIGNED.find((one) => one.path.test(path)) : undefined;
  if (call) {
    const isUnsignedJob = call.limit === JOBS_LIMIT && acceptsUnsignedJobs(env());
    return headers[call.signature] !== undefined || isUnsignedJob ? call.limit : JSON_LIMIT;
  }
  const larger = operationsAt(path).find((one) => one.method === method && one.bodyLimit !== undefined);
  return larger?.bodyLimit ?? JSON_LIMIT;
}
