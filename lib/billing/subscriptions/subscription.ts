import type Stripe from 'stripe';
import type { subscriptions } from '@/db/schema/billing';
import { PLAN_TYPES, type PlanType } from '@/lib/billing/plans/shared/limits';
import { idOf } from '@/lib/clients/stripe';
import { withSafeMessage } from '@/lib/foundation/shared/safe-message';
import { type Offers, type PaidPlan, planOfPrice } from './prices';

/** The parts of a subscription that matter, as Stripe has it now. */
export interface Subscription extends Omit<typeof subscriptions.$inferSelect, 'userId' | 'livemode'> {
  plan: PaidPlan | null;
  /** Stripe's id of its only item. */
  item: string;
}

const DAY = 86_400;
/** The longest a plan stays after a failed payment, while Stripe retries it. Days. */
const GRACE_DAYS = 14;

const date = (seconds: number): Date => new Date(seconds * 1000);

function scheduledChangeOf(
  subscription: Stripe.Subscription,
  offers: Offers,
  periodEnd: number,
): Pick<Subscription, 'nextPlan' | 'changesAt'> {
  const endsAt = subscription.cancel_at ?? (subscription.cancel_at_period_end ? periodEnd : null);
  if (endsAt !== null) return { nextPlan: 'Free', changesAt: date(endsAt) };
  const { schedule } = subscription;
  if (!schedule || typeof schedule === 'string') return { nextPlan: null, changesAt: null };
  const current = schedule.current_phase?.end_date ?? 0;
  const next = schedule.phases.find(({ start_date }) => start_date >= current);
  const price = next?.items[0]?.price;
  if (!next || !price) return { nextPlan: null, changesAt: null };
  const id = idOf(price);
  const product = typeof price === 'string' || price.deleted ? '' : idOf(price.product);
  return { nextPlan: planOfPrice(offers, { id, product }), changesAt: date(next.start_date) };
}

/** Parses a subscription that was fetched with its schedule and its latest invoice. */
export function parseSubscription(subscription: Stripe.Subscription, offers: Offers): Subscription {
  const [item] = subscription.items.data;
  if (!item) throw withSafeMessage(new Error(`subscription ${subscription.id} has no item`));
  const { latest_invoice: invoice } = subscription;
  const unpaidSince = invoice && typeof invoice !== 'string' ? invoice.created : item.current_period_start;
  return {
    id: subscription.id,
    item: item.id,
    plan: planOfPrice(offers, { id: item.price.id, product: idOf(item.price.product) }),
    status: subscription.status,
    periodEnd: date(item.current_period_end),
    graceEndsAt: subscription.status === 'past_due' ? date(unpaidSince + GRACE_DAYS * DAY) : null,
    ...scheduledChangeOf(subscription, offers, item.current_period_end),
  };
}

/**
 * Returns whether a subscription grants its plan. With a failed payment, it does for 14 days from the invoice, while
 * Stripe retries. One that was never paid, or is canceled or paused, doesn't.
 */
function entitles({ status, graceEndsAt }: Subscription, now: Date): boolean {
  if (status === 'active' || status === 'trialing') return true;
  return status === 'past_due' && graceEndsAt !== null && now < graceEndsAt;
}

/** Returns the best plan that the subscriptions grant. */
export function entitledPlan(subscriptions: Subscription[], now = new Date()): PlanType {
  const plans = subscriptions.filter((one) => entitles(one, now)).map(({ plan }) => plan);
  return PLAN_TYPES.findLast((plan) => plan !== 'Free' && plans.includes(plan)) ?? 'Free';
}

/** Returns whether a subscription is running, or would be if it were paid. */
export const isRunning = ({ status }: Pick<Subscription, 'status'>): boolean =>
  !['incomplete', 'incomplete_expired', 'canceled'].includes(status);

/** Returns the subscription to change instead of adding a second one. */
export function runningSubscription(subscriptions: Subscription[]): Subscription | undefined {
  return subscriptions.find(isRunning);
}
