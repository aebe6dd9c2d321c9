import { Inngest } from 'inngest';
import { acceptsUnsignedJobs, env } from '@/lib/foundation/env';
import { log } from '@/lib/foundation/log';
import { JobWaits, SafeErrors, TracedJobs } from './inngest-middleware';
import { APP_IDS, ownJobService } from './job-service';

/** Shorter than the outbox's lease, in milliseconds. */
const TIMEOUT_MS = 7000;

/** Aborts requests that the job service doesn't answer. */
const fetchWithTimeout: typeof fetch = (input, init) => {
  const late = AbortSignal.timeout(TIMEOUT_MS);
  return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, late]) : late });
};

/**
 * Creates a client. Sets `isDev` explicitly, because otherwise INNGEST_DEV alone decides whether the SDK signs
 * requests.
 * @param logger receives the SDK's own messages
 */
export function createInngest(logger: Pick<typeof log, 'info' | 'warn' | 'error' | 'debug'> = log): Inngest {
  const { INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY, INNGEST_SIGNING_KEY_FALLBACK } = env();
  const address = ownJobService()?.url;
  return new Inngest({
    id: APP_IDS[env().JOBS],
    eventKey: INNGEST_EVENT_KEY,
    signingKey: INNGEST_SIGNING_KEY,
    ...(INNGEST_SIGNING_KEY_FALLBACK ? { signingKeyFallback: INNGEST_SIGNING_KEY_FALLBACK } : {}),
    ...(address ? { baseUrl: address } : {}),
    isDev: acceptsUnsignedJobs(env()),
    checkpointing: false,
    fetch: fetchWithTimeout,
    middleware: [SafeErrors, JobWaits, TracedJobs],
    logger,
  });
}

let client: Inngest | undefined;

/** Returns the Inngest client, created on first use, so that builds don't need keys. */
export function inngest(): Inngest {
  client ??= createInngest();
  return client;
}
