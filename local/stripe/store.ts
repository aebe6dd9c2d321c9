import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, writePrivately } from '../up/data-dir';
import type { Form } from './form';

/** Times are Unix seconds of the stand-in's own clock; money is in cents. */
export type Card = { number: string; last4: string };
export type Customer = {
  id: string;
  email: string | null;
  metadata: Record<string, string>;
  created: number;
  card: Card | null;
  deleted: boolean;
};
type Product = { id: string; name: string };
export type Price = {
  id: string;
  product: string;
  lookupKey: string | null;
  amount: number;
};
export type Subscription = {
  id: string;
  item: string;
  customer: string;
  price: string;
  status: 'trialing' | 'active' | 'past_due' | 'canceled';
  created: number;
  periodStart: number;
  periodEnd: number;
  /** Periods are counted from here, so that a subscription from the 31st renews on the last day of each month. */
  anchor: number;
  cancelAtPeriodEnd: boolean;
  reason: 'cancellation_requested' | 'payment_failed' | null;
  latestInvoice: string | null;
  /** The schedule of a change at the end of the period. */
  schedule: string | null;
  metadata: Record<string, string>;
  /** When payment of an open invoice is retried. */
  nextAttempt: number | null;
};
export type Schedule = {
  id: string;
  customer: string;
  from: string;
  to: string;
  start: number;
  change: number;
  status: 'active' | 'released' | 'canceled';
};
export type Invoice = {
  id: string;
  number: string;
  customer: string;
  amount: number;
  status: 'open' | 'paid' | 'uncollectible';
  attempts: number;
  created: number;
};
export type Charge = {
  id: string;
  customer: string;
  amount: number;
  created: number;
};
export type CheckoutSession = {
  id: string;
  customer: string;
  price: string;
  status: 'open' | 'complete' | 'expired';
  created: number;
  expires: number;
  successUrl: string;
  cancelUrl: string | null;
  metadata: Record<string, string>;
  subscriptionMetadata: Record<string, string>;
  subscription: string | null;
};
export type PortalFlow =
  | {
      type: 'subscription_update_confirm';
      subscription: string;
      price: string;
      after: string | null;
    }
  | { type: 'subscription_cancel'; subscription: string; after: string | null };
export type PortalSession = {
  id: string;
  secret: string;
  customer: string;
  configuration: string;
  returnUrl: string | null;
  flow: PortalFlow | null;
};
export type PortalConfiguration = {
  id: string;
  created: number;
  metadata: Record<string, string>;
  /** As the app sent it. */
  features: Form;
};
export type StoredEvent = {
  id: string;
  type: string;
  created: number;
  object: unknown;
  /** Real time in milliseconds of the next delivery; null once it was accepted or given up. */
  dueAt: number | null;
  attempts: number;
};
type IdempotentResponse = { fingerprint: string; status: number; body: string; at: number };

type Tables = {
  customers: Customer;
  products: Product;
  prices: Price;
  subscriptions: Subscription;
  schedules: Schedule;
  invoices: Invoice;
  charges: Charge;
  checkouts: CheckoutSession;
  portals: PortalSession;
  configurations: PortalConfiguration;
  events: StoredEvent;
};
export type State = { [Name in keyof Tables]: Record<string, Tables[Name]> } & {
  /** Seconds by which the clock is ahead of the real one. */
  ahead: number;
  idempotency: Record<string, IdempotentResponse>;
};

/** The prices in cents per month, with the lookup keys that the app asks for. */
const PLANS = [
  { name: 'Daylight Basic', lookupKey: 'daylight_basic', amount: 500 },
  { name: 'Daylight Standard', lookupKey: 'daylight_standard', amount: 1000 },
];

function emptyState(): State {
  const state: State = {
    customers: {},
    products: {},
    prices: {},
    subscriptions: {},
    schedules: {},
    invoices: {},
    charges: {},
    checkouts: {},
    portals: {},
    configurations: {},
    events: {},
    ahead: 0,
    idempotency: {},
  };
  for (const { name, lookupKey, amount } of PLANS) {
    const product = newId('prod');
    const price = newId('price');
    state.products[product] = { id: product, name };
    state.prices[price] = { id: price, product, lookupKey, amount };
  }
  return state;
}

export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;

export type Store = {
  state: State;
  /** Returns the Unix seconds of the stand-in's clock. */
  now(): number;
  save(): void;
  /** Saves soon, together with other changes. For changes that may be repeated after a crash. */
  saveDebounced(): void;
  close(): void;
};

const DAY = 86_400_000;

/** Deletes what Stripe deletes: events after 30 days, idempotency keys after one day. */
function purgeExpired(state: State): void {
  for (const { id, created, dueAt } of Object.values(state.events)) {
    if (dueAt === null && created * 1000 < Date.now() - 30 * DAY) delete state.events[id];
  }
  for (const [key, { at }] of Object.entries(state.idempotency)) {
    if (at < Date.now() - DAY) delete state.idempotency[key];
  }
}

/** Opens the records in one JSON file, which is replaced as a whole. Its name is the one in older data folders. */
export function openStore(dir: string): Store {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const path = join(dir, 'till.json');
  const state = readJson<State>(path) ?? emptyState();
  purgeExpired(state);
  let timer: NodeJS.Timeout | undefined;
  const store: Store = {
    state,
    now: () => Math.floor(Date.now() / 1000) + state.ahead,
    save: () => writePrivately(path, state),
    saveDebounced: () => {
      if (timer) return;
      timer = setTimeout(() => {
        timer = undefined;
        store.save();
      }, 50);
    },
    close: () => {
      clearTimeout(timer);
      store.save();
    },
  };
  store.save();
  return store;
}
