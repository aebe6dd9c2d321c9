import { log } from '@/lib/foundation/log';
import { perProcess } from '@/lib/foundation/shared/per-process';
import { type DeliveryKind, dueKinds, SEND_CONCURRENCY, sendDue } from './delivery';

/** How often the outbox is looked at, in milliseconds. */
export const POLL_MS = 2000;

/** Looks at the outbox now and every {@link POLL_MS}. @returns what stops it */
export function pollOutbox(): () => void {
  const senders = new Map<DeliveryKind, number>();
  let looking = false;
  let failing = false;

  const start = (kind: DeliveryKind) => {
    senders.set(kind, (senders.get(kind) ?? 0) + 1);
    sendDue(kind)
      .catch((error: unknown) => log.warn({ err: error, kind }, 'outbox: delivery failed'))
      .finally(() => senders.set(kind, (senders.get(kind) ?? 0) - 1));
  };

  const look = async () => {
    if (looking) return;
    looking = true;
    try {
      for (const kind of await dueKinds()) {
        // Those that hang keep their place, so a service that is stuck has no more than this many calls open.
        for (let n = senders.get(kind) ?? 0; n < SEND_CONCURRENCY; n += 1) start(kind);
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
  // The server's end doesn't wait for it: a row that is cut off goes out after its lease.
  const timer = setInterval(() => void look(), POLL_MS).unref();
  return () => clearInterval(timer);
}

// Next may call what starts it more than once.
const polling = perProcess('outbox-polling', (): { stop?: () => void } => ({}));

/**
 * Starts polling for as long as the server runs: what a killed request or a former server has left goes out within
 * seconds. On serverless hosts, where nothing runs between requests, the sweep delivers it instead.
 */
export function startOutboxPolling(): void {
  polling.stop?.();
  polling.stop = pollOutbox();
}
