import { createCounter } from '@/lib/foundation/counter';
import { log } from '@/lib/foundation/log';
import { perProcess } from '@/lib/foundation/shared/per-process';
import { type DeliveryKind, dueKinds, SEND_CONCURRENCY, sendDue } from './delivery';

/** How often the outbox is looked at, in milliseconds. */
export const POLL_MS = 2000;

// Next may call what starts it more than once.
const polling = perProcess('outbox-polling', (): { timer?: NodeJS.Timeout } => ({}));

/**
 * Looks at the outbox now and every {@link POLL_MS}, for as long as the server runs: what a killed request or a former
 * server has left goes out within seconds. On serverless hosts, where nothing runs between requests, the sweep delivers
 * it instead.
 */
export function startOutboxPolling(): void {
  const senders = createCounter();
  let looking = false;
  let failing = false;

  const start = (kind: DeliveryKind) => {
    senders.add(kind, 1);
    sendDue(kind)
      .catch((error: unknown) => log.warn({ err: error, kind }, 'outbox: delivery failed'))
      .finally(() => senders.add(kind, -1));
  };

  const look = async () => {
    if (looking) return;
    looking = true;
    try {
      for (const kind of await dueKinds()) {
        // Those that hang keep their place, so a service that is stuck has no more than this many calls open.
        for (let n = senders.of(kind); n < SEND_CONCURRENCY; n += 1) start(kind);
      }
      failing = false;
    } catch (error) {
      // A database that is away for long is one line, not one every two seconds.
      if (!failing) log.warn({ err: error }, 'outbox: read failed');
      failing = true;
    } finally {
      looking = false;
    }
  };

  void look();
  clearInterval(polling.timer);
  // The server's end doesn't wait for it: a row that is cut off goes out after its lease.
  polling.timer = setInterval(() => void look(), POLL_MS).unref();
}
