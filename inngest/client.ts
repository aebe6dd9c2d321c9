import { Inngest } from 'inngest';
import { env } from '@/lib/env';
import { log } from '@/lib/log';

function connect() {
  const { INNGEST_BASE_URL, INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY } = env();
  return new Inngest({
    id: 'daylight',
    eventKey: INNGEST_EVENT_KEY,
    signingKey: INNGEST_SIGNING_KEY,
    ...(INNGEST_BASE_URL ? { baseUrl: INNGEST_BASE_URL } : {}),
    checkpointing: false,
    logger: log,
  });
}

let client: Inngest | undefined;

/** The Inngest client, made on first use so that a build needs no keys. */
export function inngest(): Inngest {
  client ??= connect();
  return client;
}
