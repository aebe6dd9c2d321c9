import {
  addInvoice,
  assertCardAccepted,
  collectPayment,
  emit,
  emitSubscription,
  endSchedule,
  endSubscription,
  monthsAfter,
  nextPeriodEnd,
  requireCustomer,
} from './billing';
import { resourceMissing, stripeError } from './errors';
import { serializeSchedule } from './serializers';
import { newId, type Price, type Store, type Subscription } from './store';

const DAY = 86_400;

export function priceOf(store: Store, id: string): Price {
  const price = store.state.prices[id];
  if (!price) throw resourceMissing('price', id, 'price', 400);
  return price;
}

type SubscriptionInput = {
  customer: string;
  price: string;
  trialDays?: number | null;
  metadata?: Record<string, string>;
};

/**
 * Starts a subscription and collects its first invoice, which is 0 for a trial. Throws a card error, and starts
 * nothing, if the card is declined.
 */
export function subscribe(
  store: Store,
  { customer, price, trialDays, metadata = {} }: SubscriptionInput,
): Subscription {
  const { amount } = priceOf(store, price);
  if (!trialDays) assertCardAccepted(requireCustomer(store, customer).card);
  const now = store.now();
  const trialEnd = trialDays ? now + trialDays * DAY : null;
  const subscription: Subscription = {
    id: newId('sub'),
    item: newId('si'),
    customer,
    price,
    metadata,
    created: now,
    status: trialEnd ? 'trialing' : 'active',
    periodStart: now,
    periodEnd: trialEnd ?? monthsAfter(now, 1),
    anchor: trialEnd ?? now,
    cancelAtPeriodEnd: false,
    reason: null,
    latestInvoice: null,
    schedule: null,
    nextAttempt: null,
  };
  store.state.subscriptions[subscription.id] = subscription;
  const invoice = addInvoice(store, subscription, trialEnd ? 0 : amount);
  emitSubscription(store, subscription, 'created');
  collectPayment(store, invoice);
  return subscription;
}

/** Changes the price now and charges the prorated difference. Throws a card error, and changes nothing, if declined. */
export function changeNow(store: Store, subscription: Subscription, price: string): void {
  const [before, after] = [priceOf(store, subscription.price), priceOf(store, price)];
  const { periodStart, periodEnd } = subscription;
  const rest = Math.max(0, periodEnd - store.now()) / (periodEnd - periodStart);
  const amount = subscription.status === 'trialing' ? 0 : Math.round((after.amount - before.amount) * rest);
  if (amount > 0) assertCardAccepted(requireCustomer(store, subscription.customer).card);
  endSchedule(store, subscription, 'released');
  subscription.price = price;
  subscription.cancelAtPeriodEnd = false;
  if (amount > 0) collectPayment(store, addInvoice(store, subscription, amount));
  emitSubscription(store, subscription, 'updated');
}

/** Schedules a change of the price for the end of the period. */
export function changeAtPeriodEnd(store: Store, subscription: Subscription, price: string): void {
  priceOf(store, price);
  if (subscription.schedule) {
    throw stripeError({ message: 'The subscription is already managed by a subscription schedule.' });
  }
  const { customer, periodStart: start, periodEnd: change } = subscription;
  const schedule = {
    id: newId('sub_sched'),
    customer,
    from: subscription.price,
    to: price,
    start,
    change,
    status: 'active' as const,
  };
  store.state.schedules[schedule.id] = schedule;
  subscription.schedule = schedule.id;
  emit(store, 'subscription_schedule.created', serializeSchedule(schedule));
  emitSubscription(store, subscription, 'updated');
}

export function releaseSchedule(store: Store, subscription: Subscription): void {
  endSchedule(store, subscription, 'released');
  emitSubscription(store, subscription, 'updated');
}

export function cancelAtPeriodEnd(store: Store, subscription: Subscription, cancel: boolean): void {
  if (subscription.status === 'canceled') {
    throw stripeError({
      message: 'A canceled subscription can only update its cancellation_details and metadata.',
    });
  }
  if (cancel) endSchedule(store, subscription, 'released');
  subscription.cancelAtPeriodEnd = cancel;
  subscription.reason = cancel ? 'cancellation_requested' : null;
  emitSubscription(store, subscription, 'updated');
}

/** When a failed payment is retried, as Stripe's retry settings allow. Seconds. */
const RETRIES = [3 * DAY, 5 * DAY, 7 * DAY];

function retryPayment(store: Store, subscription: Subscription): void {
  const invoice = subscription.latestInvoice ? store.state.invoices[subscription.latestInvoice] : undefined;
  if (!invoice) return;
  subscription.nextAttempt = null;
  if (collectPayment(store, invoice)) {
    subscription.status = 'active';
    emitSubscription(store, subscription, 'updated');
    return;
  }
  const wait = RETRIES[invoice.attempts - 1];
  if (wait === undefined) {
    invoice.status = 'uncollectible';
    endSubscription(store, subscription, 'payment_failed');
    return;
  }
  subscription.nextAttempt = store.now() + wait;
  const known = subscription.status;
  subscription.status = 'past_due';
  if (known !== 'past_due') emitSubscription(store, subscription, 'updated');
}

/** Retries an open invoice, as after a change of card. */
export function payOpenInvoice(store: Store, subscription: Subscription): void {
  if (subscription.status === 'past_due') retryPayment(store, subscription);
}

function renew(store: Store, subscription: Subscription): void {
  if (subscription.cancelAtPeriodEnd) {
    endSubscription(store, subscription, 'cancellation_requested');
    return;
  }
  const schedule = subscription.schedule ? store.state.schedules[subscription.schedule] : undefined;
  if (schedule) {
    subscription.price = schedule.to;
    endSchedule(store, subscription, 'released');
  }
  subscription.periodStart = subscription.periodEnd;
  subscription.periodEnd = nextPeriodEnd(subscription.anchor, subscription.periodStart);
  subscription.status = 'active';
  const { amount } = priceOf(store, subscription.price);
  addInvoice(store, subscription, amount);
  emitSubscription(store, subscription, 'updated');
  retryPayment(store, subscription);
}

/** Returns when a subscription is next due: at the end of its period, or for another payment attempt. */
function nextDueAt(subscription: Subscription): number {
  if (subscription.status === 'canceled') return Number.POSITIVE_INFINITY;
  return Math.min(subscription.periodEnd, subscription.nextAttempt ?? Number.POSITIVE_INFINITY);
}

/** Processes everything that is due, in order, each as of the time it was due. */
export function processDueRenewals(store: Store, until: number): void {
  for (;;) {
    const next = Object.values(store.state.subscriptions).sort((a, b) => nextDueAt(a) - nextDueAt(b))[0];
    if (!next || nextDueAt(next) > until) return;
    const moment = nextDueAt(next);
    const at = { ...store, now: () => moment };
    if (next.nextAttempt === moment) retryPayment(at, next);
    else renew(at, next);
  }
}
