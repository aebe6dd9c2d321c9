import type Stripe from 'stripe';
import type * as stored from './store';
import type { State } from './store';

// Objects have the fields that the app and the protocol tests read. Stripe sends many more.

/** The stand-in only takes test cards, so everything is in Stripe's test mode. */
const livemode = false;

export const list = <Item extends { id: string }>(data: Item[], url: string, has_more = false) => ({
  object: 'list' as const,
  data,
  has_more,
  url,
});

export function serializeCustomer({ id, email, metadata, deleted }: stored.Customer) {
  if (deleted) return { id, object: 'customer', deleted } satisfies Partial<Stripe.DeletedCustomer>;
  return { id, object: 'customer', email, livemode, metadata } satisfies Partial<Stripe.Customer>;
}

export function serializePrice({ id, product, lookupKey, amount }: stored.Price) {
  const price = {
    id,
    object: 'price',
    livemode,
    lookup_key: lookupKey,
    product,
    unit_amount: amount,
  } as const;
  return price satisfies Partial<Stripe.Price>;
}

export function serializeSubscription(state: State, subscription: stored.Subscription) {
  const price = state.prices[subscription.price];
  if (!price) throw new Error(`the price of ${subscription.id} is missing`);
  const { id, cancelAtPeriodEnd, periodEnd, periodStart } = subscription;
  const item = {
    id: subscription.item,
    current_period_end: periodEnd,
    current_period_start: periodStart,
    price: serializePrice(price),
  };
  return {
    id,
    object: 'subscription',
    cancel_at: cancelAtPeriodEnd ? periodEnd : null,
    cancel_at_period_end: cancelAtPeriodEnd,
    cancellation_details: { comment: null, feedback: null, reason: subscription.reason },
    customer: subscription.customer,
    items: list([item], `/v1/subscription_items?subscription=${id}`),
    latest_invoice: subscription.latestInvoice,
    livemode,
    metadata: subscription.metadata,
    schedule: subscription.schedule,
    status: subscription.status,
  };
}

export function serializeInvoice({ id, amount, status, created, customer }: stored.Invoice) {
  const amount_paid = status === 'paid' ? amount : 0;
  const invoice = { id, object: 'invoice', amount_paid, created, customer, livemode, status } as const;
  return invoice satisfies Partial<Stripe.Invoice>;
}

export function serializeCharge({ id, customer }: stored.Charge) {
  return { id, object: 'charge', customer, livemode } satisfies Partial<Stripe.Charge>;
}

export function serializeDispute(id: string, charge: string) {
  return { id, object: 'dispute', charge, livemode } satisfies Partial<Stripe.Dispute>;
}

/** Long enough for a phase that only says what comes next. Seconds. */
const MONTH = 30 * 86_400;

export function serializeSchedule(schedule: stored.Schedule) {
  const { id, customer, from, to, start, change, status } = schedule;
  const phase = (price: string, start_date: number, end_date: number) => ({
    start_date,
    end_date,
    items: [{ price }],
  });
  return {
    id,
    object: 'subscription_schedule',
    current_phase: status === 'active' ? { start_date: start, end_date: change } : null,
    customer,
    livemode,
    phases: [phase(from, start, change), phase(to, change, change + MONTH)],
    status,
  };
}

export function serializeCheckout(checkout: stored.CheckoutSession, price: stored.Price, url: string) {
  return {
    id: checkout.id,
    object: 'checkout.session',
    amount_total: price.amount,
    customer: checkout.customer,
    livemode,
    metadata: checkout.metadata,
    payment_status: checkout.status === 'complete' ? 'paid' : 'unpaid',
    status: checkout.status,
    subscription: checkout.subscription,
    // Only an open session has a URL.
    url: checkout.status === 'open' ? url : null,
  } satisfies Partial<Stripe.Checkout.Session>;
}

export function serializePortal({ id, customer, flow }: stored.PortalSession, url: string) {
  return { id, object: 'billing_portal.session', customer, flow: flow && { type: flow.type }, livemode, url };
}

export function serializeConfiguration({ id, metadata }: stored.PortalConfiguration) {
  const configuration = { id, object: 'billing_portal.configuration', livemode, metadata } as const;
  return configuration satisfies Partial<Stripe.BillingPortal.Configuration>;
}
