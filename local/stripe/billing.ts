import type Stripe from 'stripe';
import { stripeError } from './errors';
import {
  serializeCharge,
  serializeCustomer,
  serializeDispute,
  serializeInvoice,
  serializeSchedule,
  serializeSubscription,
} from './serializers';
import { type Card, type Customer, type Invoice, newId, type Store, type Subscription } from './store';

type EventType = Stripe.Event['type'];

/** Records an event, which the delivery sends to the webhook. */
export function emit(store: Store, type: EventType, object: unknown): void {
  const id = newId('evt');
  // An event has its object as it was at that moment, so it needs a copy.
  const snapshot: unknown = JSON.parse(JSON.stringify(object));
  store.state.events[id] = {
    id,
    type,
    created: store.now(),
    object: snapshot,
    dueAt: Date.now(),
    attempts: 0,
  };
}

export function emitSubscription(
  store: Store,
  subscription: Subscription,
  what: 'created' | 'updated' | 'deleted',
): void {
  emit(store, `customer.subscription.${what}`, serializeSubscription(store.state, subscription));
}

/** What Stripe's test cards do. Source: https://docs.stripe.com/testing */
const DECLINED: Record<string, string> = {
  '4000000000000002': 'Your card was declined.',
  '4000000000000341': 'Your card was declined.',
  '4000000000009995': 'Your card has insufficient funds.',
};
const DISPUTED_CARD = '4000000000000259';
/** Stripe's tokens of test cards, for calls without a page. */
const TOKENS: Record<string, string> = { tok_visa: '4242424242424242' };
const KNOWN = ['4242424242424242', DISPUTED_CARD, ...Object.keys(DECLINED)];

/** Reads a card number as a person types it, or a Stripe test token. Throws a card error for other cards. */
export function readCard(text: string): Card {
  const number = TOKENS[text] ?? text.replace(/[\s-]/g, '');
  if (KNOWN.includes(number)) return { number, last4: number.slice(-4) };
  throw stripeError({
    status: 402,
    type: 'card_error',
    code: 'incorrect_number',
    message: "That isn't a test card. Use 4242 4242 4242 4242.",
  });
}

/** Throws a card error when the card is declined. */
export function assertCardAccepted(card: Card | null): void {
  const message = card ? DECLINED[card.number] : 'Add a card to pay with.';
  if (message) throw stripeError({ status: 402, type: 'card_error', code: 'card_declined', message });
}

export function requireCustomer(store: Store, id: string): Customer {
  const customer = store.state.customers[id];
  if (!customer) throw new Error(`customer ${id} is missing`);
  return customer;
}

/** Returns the same day of a later month, or the month's last day, in UTC. */
export function monthsAfter(anchor: number, months: number): number {
  const start = new Date(anchor * 1000);
  const end = new Date(start);
  end.setUTCDate(1);
  end.setUTCMonth(start.getUTCMonth() + months);
  const days = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(start.getUTCDate(), days));
  return Math.floor(end.getTime() / 1000);
}

/** Returns the end of the period after `from`. */
export function nextPeriodEnd(anchor: number, from: number): number {
  let months = 1;
  while (monthsAfter(anchor, months) <= from) months += 1;
  return monthsAfter(anchor, months);
}

/** Adds an open invoice. */
export function addInvoice(store: Store, subscription: Subscription, amount: number): Invoice {
  const id = newId('in');
  const invoice: Invoice = {
    id,
    number: `LOCAL-${String(Object.keys(store.state.invoices).length + 1).padStart(4, '0')}`,
    customer: subscription.customer,
    amount,
    status: 'open',
    attempts: 0,
    created: store.now(),
  };
  store.state.invoices[id] = invoice;
  subscription.latestInvoice = id;
  return invoice;
}

/** Charges the customer's card for an invoice, and sends the result to the webhook. */
export function collectPayment(store: Store, invoice: Invoice): boolean {
  const customer = requireCustomer(store, invoice.customer);
  invoice.attempts += 1;
  try {
    if (invoice.amount > 0) assertCardAccepted(customer.card);
  } catch {
    emit(store, 'invoice.payment_failed', serializeInvoice(invoice));
    return false;
  }
  invoice.status = 'paid';
  if (invoice.amount > 0) addCharge(store, invoice, customer);
  emit(store, 'invoice.paid', serializeInvoice(invoice));
  return true;
}

function addCharge(store: Store, invoice: Invoice, customer: Customer): void {
  const id = newId('ch');
  const charge = { id, customer: customer.id, amount: invoice.amount, created: store.now() };
  store.state.charges[id] = charge;
  emit(store, 'charge.succeeded', serializeCharge(charge));
  if (customer.card?.number === DISPUTED_CARD) {
    emit(store, 'charge.dispute.created', serializeDispute(newId('du'), id));
  }
}

/** Ends a scheduled change, if there is one. */
export function endSchedule(store: Store, subscription: Subscription, status: 'released' | 'canceled'): void {
  const schedule = subscription.schedule ? store.state.schedules[subscription.schedule] : undefined;
  subscription.schedule = null;
  if (!schedule) return;
  schedule.status = status;
  emit(store, `subscription_schedule.${status}`, serializeSchedule(schedule));
}

/** Ends a subscription immediately. */
export function endSubscription(
  store: Store,
  subscription: Subscription,
  reason: Subscription['reason'],
): void {
  if (subscription.status === 'canceled') return;
  endSchedule(store, subscription, 'canceled');
  subscription.status = 'canceled';
  subscription.nextAttempt = null;
  subscription.reason ??= reason;
  emitSubscription(store, subscription, 'deleted');
}

/** Deletes a customer and ends its subscriptions. */
export function deleteCustomer(store: Store, customer: Customer): void {
  for (const subscription of Object.values(store.state.subscriptions)) {
    if (subscription.customer === customer.id) endSubscription(store, subscription, null);
  }
  const last = serializeCustomer(customer);
  customer.deleted = true;
  customer.card = null;
  emit(store, 'customer.deleted', last);
  redactCustomer(store, customer.id);
}

/** Returns what is kept of an API object: of this customer, nothing that says who it is. */
function redacted(object: unknown, id: string): unknown {
  const found = object as { object?: string; id?: string };
  if (found?.object !== 'customer' || found.id !== id) return object;
  return { ...found, email: null, metadata: {} };
}

/** Removes a customer's address from the events and responses that are kept. Stripe keeps its own for 30 days. */
function redactCustomer(store: Store, id: string): void {
  for (const event of Object.values(store.state.events)) event.object = redacted(event.object, id);
  for (const response of Object.values(store.state.idempotency)) {
    response.body = JSON.stringify(redacted(JSON.parse(response.body), id));
  }
}
