import type Stripe from 'stripe';
import type * as stored from './store';
import type { State } from './store';

// Each object has the fields that the app reads, and those that say what it is; Stripe sends many more.

/** The stand-in takes test cards only, so everything is in Stripe's test mode. */
const livemode = false;

export const list = <Item extends { id: string }>(data: Item[], url: string, has_more = false) => ({
  object: 'list' as const,
  data,
  has_more,
  url,
});

export function serializeCustomer({ id, email, metadata, created, deleted }: stored.Customer) {
  if (deleted) return { id, object: 'customer', deleted } satisfies Partial<Stripe.DeletedCustomer>;
  return { id, object: 'customer', created, email, livemode, metadata } satisfies Partial<Stripe.Customer>;
}

export function serializePrice(price: stored.Price) {
  return {
    id: price.id,
    object: 'price',
    active: true,
    created: price.created,
    currency: 'usd',
    livemode,
    lookup_key: price.lookupKey,
    product: price.product,
    recurring: { interval: 'month', interval_count: 1 },
    type: 'recurring',
    unit_amount: price.amount,
  } as const;
}

export function serializeSubscription(state: State, subscription: stored.Subscription) {
  const price = state.prices[subscription.price];
  if (!price) throw new Error(`the price of ${subscription.id} is missing`);
  const { id, cancelAtPeriodEnd, periodEnd, periodStart, created } = subscription;
  const item = {
    id: subscription.item,
    object: 'subscription_item',
    created,
    current_period_end: periodEnd,
    current_period_start: periodStart,
    price: serializePrice(price),
    quantity: 1,
    subscription: id,
  };
  return {
    id,
    object: 'subscription',
    cancel_at: cancelAtPeriodEnd ? periodEnd : null,
    cancel_at_period_end: cancelAtPeriodEnd,
    canceled_at: subscription.canceledAt,
    cancellation_details: { comment: null, feedback: null, reason: subscription.reason },
    created,
    currency: 'usd',
    customer: subscription.customer,
    ended_at: subscription.endedAt,
    items: list([item], `/v1/subscription_items?subscription=${id}`),
    latest_invoice: subscription.latestInvoice,
    livemode,
    metadata: subscription.metadata,
    schedule: subscription.schedule,
    start_date: created,
    status: subscription.status,
    trial_end: subscription.trialEnd,
  };
}

export function serializeInvoice(invoice: stored.Invoice) {
  const { id, amount, status, created } = invoice;
  const paid = status === 'paid' ? amount : 0;
  return {
    id,
    object: 'invoice',
    amount_due: amount,
    amount_paid: paid,
    amount_remaining: amount - paid,
    attempt_count: invoice.attempts,
    billing_reason: invoice.reason,
    created,
    currency: 'usd',
    customer: invoice.customer,
    livemode,
    number: invoice.number,
    period_end: invoice.periodEnd,
    period_start: invoice.periodStart,
    status,
    total: amount,
  } satisfies Partial<Stripe.Invoice>;
}

export function serializeCharge(charge: stored.Charge) {
  const { id, amount, refunded, created, customer, disputed } = charge;
  return {
    id,
    object: 'charge',
    amount,
    amount_refunded: refunded,
    created,
    currency: 'usd',
    customer,
    disputed,
    livemode,
    paid: true,
    refunded: refunded === amount,
    status: 'succeeded',
  } satisfies Partial<Stripe.Charge>;
}

export function serializeDispute({ id, amount, charge, created }: stored.Dispute) {
  const dispute = { id, object: 'dispute', amount, charge, created, currency: 'usd', livemode } as const;
  return { ...dispute, reason: 'fraudulent', status: 'needs_response' } satisfies Partial<Stripe.Dispute>;
}

export function serializeRefund({ id, amount, charge, created }: stored.Refund) {
  const refund = { id, object: 'refund', amount, charge, created, currency: 'usd' } as const;
  return { ...refund, status: 'succeeded' } satisfies Partial<Stripe.Refund>;
}

/** Long enough for a phase that only says what comes next. Seconds. */
const MONTH = 30 * 86_400;

export function serializeSchedule(schedule: stored.Schedule) {
  const { id, customer, from, to, start, change, created, status } = schedule;
  const phase = (price: string, start_date: number, end_date: number) => ({
    start_date,
    end_date,
    items: [{ price, quantity: 1 }],
  });
  return {
    id,
    object: 'subscription_schedule',
    created,
    current_phase: status === 'active' ? { start_date: start, end_date: change } : null,
    customer,
    livemode,
    phases: [phase(from, start, change), phase(to, change, change + MONTH)],
    status,
    subscription: status === 'active' ? schedule.subscription : null,
  };
}

export function serializeCheckout(checkout: stored.CheckoutSession, price: stored.Price, url: string) {
  return {
    id: checkout.id,
    object: 'checkout.session',
    amount_total: price.amount,
    cancel_url: checkout.cancelUrl,
    client_reference_id: checkout.reference,
    created: checkout.created,
    currency: 'usd',
    customer: checkout.customer,
    expires_at: checkout.expires,
    invoice: checkout.invoice,
    livemode,
    metadata: checkout.metadata,
    mode: 'subscription',
    payment_status: checkout.status === 'complete' ? 'paid' : 'unpaid',
    status: checkout.status,
    subscription: checkout.subscription,
    success_url: checkout.successUrl,
    // Stripe gives the address of an open session only.
    url: checkout.status === 'open' ? url : null,
  } satisfies Partial<Stripe.Checkout.Session>;
}

export function serializePortal(portal: stored.PortalSession, url: string) {
  return {
    id: portal.id,
    object: 'billing_portal.session',
    configuration: portal.configuration,
    created: portal.created,
    customer: portal.customer,
    flow: portal.flow && { type: portal.flow.type },
    livemode,
    return_url: portal.returnUrl,
    url,
  };
}

export function serializeConfiguration({ id, active, created, metadata }: stored.PortalConfiguration) {
  const configuration = { id, object: 'billing_portal.configuration', active, created } as const;
  return { ...configuration, livemode, metadata } satisfies Partial<Stripe.BillingPortal.Configuration>;
}
