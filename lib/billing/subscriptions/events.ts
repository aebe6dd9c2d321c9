import type Stripe from 'stripe';
import { db } from '@/db/client';
import { webhookEvents } from '@/db/schema/billing';
import { cancelSubscription, customerOfCharge, idOf, isLiveMode, verifyWebhook } from '@/lib/clients/stripe';
import { AppError } from '@/lib/foundation/contract/errors';
import { log } from '@/lib/foundation/log';
import { fetchSubscriptions, lockCustomerByStripeId, syncWithStripe } from './customer';

/** The events that can change a plan. The webhook endpoint at Stripe must send these. */
export const HANDLED_EVENTS = [
  'checkout.session.completed',
  'customer.deleted',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.paid',
  'invoice.payment_failed',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
  'subscription_schedule.created',
  'subscription_schedule.updated',
  'subscription_schedule.released',
  'subscription_schedule.canceled',
];

/** The only part of an event's object that we trust: whose it is. Everything else is read from Stripe again. */
interface EventTarget {
  object?: string;
  id?: string;
  customer?: string | { id: string } | null;
  charge?: string | { id: string } | null;
}

async function customerOf(event: Stripe.Event): Promise<string | null> {
  const about = event.data.object as EventTarget;
  if (about.object === 'customer') return about.id ?? null;
  if (about.object === 'dispute') {
    return about.charge ? customerOfCharge(idOf(about.charge)) : null;
  }
  return about.customer ? idOf(about.customer) : null;
}

/** Ends the subscription when a payment is disputed, so that the owner isn't charged again. */
async function cancelDisputedSubscriptions(stripeId: string): Promise<void> {
  for (const { id } of (await fetchSubscriptions(stripeId)) ?? []) await cancelSubscription(id);
}

/**
 * Handles a Stripe event. Inserting its row claims it: however many copies arrive, even in parallel, only one does
 * the work. If that fails, the transaction rolls the claim back too, so Stripe's next delivery retries it.
 * @throws AppError `bad_request` for an event from the other mode
 */
export async function applyEvent(event: Stripe.Event): Promise<void> {
  if (event.livemode !== isLiveMode()) {
    log.error(
      { event: 'billing.wrong_mode', stripeEvent: event.id },
      "rejected an event from Stripe's other mode",
    );
    throw new AppError('bad_request', { message: 'This event belongs to Stripe’s other mode.' });
  }
  await db().transaction(async (tx) => {
    const [first] = await tx
      .insert(webhookEvents)
      .values({ id: event.id, type: event.type })
      .onConflictDoNothing()
      .returning();
    if (!first || !HANDLED_EVENTS.includes(event.type)) return;
    const stripeId = await customerOf(event);
    const row = stripeId ? await lockCustomerByStripeId(tx, stripeId) : undefined;
    if (!row || !stripeId) return;
    if (event.type === 'charge.dispute.created') await cancelDisputedSubscriptions(stripeId);
    await syncWithStripe(tx, row);
  });
}

/**
 * Handles a raw webhook request.
 * @param signature the `stripe-signature` header
 * @throws AppError `bad_request` unless Stripe signed this body within 300 s of now
 */
export async function receiveWebhook(body: Buffer, signature: string | null): Promise<void> {
  await applyEvent(verifyWebhook(body, signature));
}
