import { Inngest } from 'inngest';
import { acceptsUnsignedJobs, env } from '@/lib/env';
import { log } from '@/lib/log';
import { SafeErrors } from './inngest-errors';

/** Returns the address of the job service, or undefined for Inngest's cloud (and its development server's default). */
function baseUrl(): string | undefined {
  const { INNGEST_BASE_URL, INNGEST_DEV } = env();
  if (INNGEST_BASE_URL) return INNGEST_BASE_URL;
  return INNGEST_DEV && /^https?:/.test(INNGEST_DEV) ? INNGEST_DEV : undefined;
}

/** Shorter than the outbox leaves an event to its sender. */
const TIMEOUT_MS = 7000;

/** Gives up on a job service that takes a request and never answers. */
const fetchWithTimeout: typeof fetch = (input, init) => {
  const late = AbortSignal.timeout(TIMEOUT_MS);
  return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, late]) : late });
};

/**
 * Makes a client. Whether it signs is said here, as the SDK left to itself would go by INNGEST_DEV alone.
 * @param logger what the SDK reports its own trouble to
 */
export function createInngest(logger: Pick<typeof log, 'info' | 'warn' | 'error' | 'debug'> = log): Inngest {
  const { INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY, INNGEST_SIGNING_KEY_FALLBACK } = env();
  const address = baseUrl();
  return new Inngest({
    id: 'daylight',
    eventKey: INNGEST_EVENT_KEY,
    signingKey: INNGEST_SIGNING_KEY,
    ...(INNGEST_SIGNING_KEY_FALLBACK ? { signingKeyFallback: INNGEST_SIGNING_KEY_FALLBACK } : {}),
    ...(address ? { baseUrl: address } : {}),
    isDev: acceptsUnsignedJobs(env()),
    checkpointing: false,
    fetch: fetchWithTimeout,
    middleware: [SafeErrors],
    logger,
  });
}

let client: Inngest | undefined;

/** The Inngest client, made on first use so that a build needs no keys. */
export function inngest(): Inngest {
  client ??= createInngest();
  return client;
}
