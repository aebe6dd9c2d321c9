import { createHmac } from 'node:crypto';
import Stripe from 'stripe';
import type { Store, StoredEvent } from './store';

/** Returns an event in Stripe's shape, with its object as it was at that moment. */
export function serializeEvent(event: StoredEvent) {
  return {
    id: event.id,
    object: 'event' as const,
    api_version: Stripe.API_VERSION,
    created: event.created,
    data: { object: event.object },
    livemode: false,
    pending_webhooks: event.dueAt === null ? 0 : 1,
    request: { id: null, idempotency_key: null },
    type: event.type,
  };
}

/** Signs a body as Stripe does (scheme v1): HMAC-SHA256 over `t.body`. `at` is the real time in Unix seconds. */
function signWebhook(body: string, secret: string, at: number): string {
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  return `t=${at},v1=${signature}`;
}

/** Milliseconds until an event that was not accepted is sent again. */
const RETRY_DELAYS_MS = [500, 2000, 5000, 15_000, 60_000, 300_000, 1_800_000, 3_600_000, 7_200_000];
const RESPONSE_TIMEOUT_MS = 20_000;

type Options = {
  store: Store;
  secret: string;
  url: () => string;
  log: (line: Record<string, unknown>) => void;
};

/**
 * Sends every event to the webhook until it gets a 2xx: immediately, then again and again for some hours, even after
 * a restart.
 */
export function startWebhookDelivery({ store, secret, url, log }: Options) {
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const underWay = new Map<string, Promise<void>>();

  async function send(event: StoredEvent): Promise<void> {
    const body = JSON.stringify(serializeEvent(event));
    let status = 0;
    try {
      const response = await fetch(url(), {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': signWebhook(body, secret, Math.floor(Date.now() / 1000)),
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]),
      });
      status = response.status;
      await response.arrayBuffer();
    } catch {
      // No response: retried below.
    }
    // Aborted by close(): the next start sends it again.
    if (closing.signal.aborted) return;
    const pause = RETRY_DELAYS_MS[event.attempts];
    event.attempts += 1;
    const accepted = status >= 200 && status < 300;
    event.dueAt = accepted || pause === undefined ? null : Date.now() + pause;
    log({ event: 'webhook', type: event.type, status, attempts: event.attempts });
    store.saveDebounced();
  }

  function schedule(): void {
    clearTimeout(timer);
    if (closing.signal.aborted) return;
    const waiting = Object.values(store.state.events).filter(
      (event) => event.dueAt !== null && !underWay.has(event.id),
    );
    if (waiting.length === 0) return;
    const next = Math.min(...waiting.map((event) => event.dueAt ?? 0));
    timer = setTimeout(deliver, Math.max(0, next - Date.now()));
  }

  function deliver(): void {
    for (const event of Object.values(store.state.events)) {
      if (event.dueAt === null || event.dueAt > Date.now() || underWay.has(event.id)) continue;
      const sending = send(event).finally(() => {
        underWay.delete(event.id);
        schedule();
      });
      underWay.set(event.id, sending);
    }
    schedule();
  }

  schedule();
  return {
    /** Sends what is new; resolves when this first attempt is over. */
    async flush(): Promise<void> {
      deliver();
      await Promise.all(underWay.values());
    },
    /** Sends what is new, without waiting. */
    wake: deliver,
    async close(): Promise<void> {
      closing.abort();
      clearTimeout(timer);
      await Promise.all(underWay.values());
    },
  };
}
