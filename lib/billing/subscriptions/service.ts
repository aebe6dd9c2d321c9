import { and, desc, eq, isNull } from 'drizzle-orm';
import pLimit from 'p-limit';
import { db, type Transaction } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { subscriptions } from '@/db/schema/billing';
import { downgradeBlocker } from '@/lib/billing/plans/downgrade';
import { planSource, sitePlan, usageOf } from '@/lib/billing/plans/service';
import { PLAN_TYPES, type PlanType } from '@/lib/billing/plans/shared/limits';
import {
  createCustomer,
  expireCheckout,
  isLiveMode,
  openCheckout,
  openPortal,
  readCheckout,
} from '@/lib/clients/stripe';
import { AppError } from '@/lib/foundation/contract/errors';
import { env } from '@/lib/foundation/env';
import { type CustomerRow, changeCustomer, fetchSubscriptions, lockCustomer } from './customer';
import { currentOffers, type PaidPlan, planPortalConfiguration } from './prices';
import { isRunning, runningSubscription, type Subscription } from './subscription';

interface Buyer {
  id: string;
  email: string;
}

const planPageUrl = () => `${env().APP_URL}/settings/plan`;
/** Where Checkout returns to. The page waits for the plan and doesn't grant anything itself. */
const purchaseReturnUrl = (plan: PlanType) => `${planPageUrl()}?bought=${plan}`;

/** How many requests may keep a database connection while Stripe answers. All others need the rest of the pool. */
const atStripe = pLimit(4);
/** How long a request waits until it may, in milliseconds. */
const MAX_WAIT_MS = 10_000;

/**
 * Runs a transaction that calls Stripe.
 * @throws AppError `billing_off`, or `unavailable` after a long wait for others that do
 */
async function callStripeIn<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  if (sitePlan()) throw new AppError('billing_off');
  const asked = performance.now();
  return atStripe(() => {
    if (performance.now() - asked > MAX_WAIT_MS) throw new AppError('unavailable');
    return db().transaction(work);
  });
}

/**
 * Locks an account's billing for its owner. Whoever asked just before the account was closed waits here for the erasure of
 * its customer, and must not create another.
 * @throws AppError `unauthenticated` if the account is closed
 */
async function lockCustomerForOwner(tx: Transaction, userId: string): Promise<CustomerRow> {
  const row = await lockCustomer(tx, userId);
  const isOpen = and(eq(users.id, userId), isNull(users.disabledAt));
  if ((await tx.$count(users, isOpen)) === 0) throw new AppError('unauthenticated');
  return row;
}

/** Returns the account's customer at Stripe, created if needed, and its subscriptions there. */
async function ensureCustomer(
  tx: Transaction,
  row: CustomerRow,
  user: Buyer,
): Promise<{ customer: string; found: Subscription[] }> {
  const found = row.stripeId ? await fetchSubscriptions(row.stripeId) : null;
  if (row.stripeId && found) return { customer: row.stripeId, found };
  const customer = await createCustomer(user.id, user.email);
  await changeCustomer(tx, row, { stripeId: customer, checkoutId: null, email: user.email });
  return { customer, found: [] };
}

/**
 * Reuses or closes the one Checkout page that may still be open: reuses it for the same plan, and otherwise closes it
 * before there's a new one, so that two can never be paid.
 * @returns the page's URL if it can be reused
 */
async function reusableCheckoutUrl(row: CustomerRow, plan: PlanType): Promise<string | null> {
  if (!row.checkoutId) return null;
  const checkout = await readCheckout(row.checkoutId);
  if (checkout?.status !== 'open') return null;
  if (checkout.metadata?.plan === plan && checkout.url) return checkout.url;
  // If it's paid at this very moment, the subscriptions, which are read next, show the purchase.
  await expireCheckout(row.checkoutId);
  return null;
}

const PLAN_GRANTED =
  'The site’s administrator gave you your plan, so there’s nothing to buy. If you have a subscription, you can cancel it under Billing + Invoicing.';

async function createPlanCheckout(
  tx: Transaction,
  row: CustomerRow,
  user: Buyer,
  customer: string,
  plan: PaidPlan,
) {
  const offers = await currentOffers();
  const checkout = await openCheckout({
    customer,
    client_reference_id: user.id,
    metadata: { plan },
    line_items: [{ price: offers[plan].price, quantity: 1 }],
    subscription_data: { metadata: { userId: user.id } },
    success_url: purchaseReturnUrl(plan),
    cancel_url: planPageUrl(),
  });
  await changeCustomer(tx, row, { checkoutId: checkout.id });
  if (!checkout.url) throw new AppError('unavailable');
  return checkout.url;
}

/**
 * Returns the URL of the portal page that confirms a change, or of the portal's home page if a change is already
 * scheduled or a payment is overdue.
 */
async function planChangeUrl(customer: string, running: Subscription, plan: PlanType): Promise<string> {
  const common = { customer, configuration: await planPortalConfiguration(), return_url: planPageUrl() };
  // Stripe would stack a second change on a scheduled one; the home page lets the owner undo that one first.
  const settled = running.status === 'active' || running.status === 'trialing';
  if (!settled || running.changesAt || running.plan === null) return openPortal(common);
  const upgrade = PLAN_TYPES.indexOf(plan) > PLAN_TYPES.indexOf(running.plan);
  const return_url = upgrade ? purchaseReturnUrl(plan) : planPageUrl();
  const after_completion = { type: 'redirect' as const, redirect: { return_url } };
  const subscription = running.id;
  if (plan === 'Free') {
    const flow = { type: 'subscription_cancel' as const, subscription_cancel: { subscription } };
    return openPortal({ ...common, flow_data: { ...flow, after_completion } });
  }
  const { price } = (await currentOffers())[plan];
  const items = [{ id: running.item, price, quantity: 1 }];
  const flow = {
    type: 'subscription_update_confirm' as const,
    subscription_update_confirm: { subscription, items },
  };
  return openPortal({ ...common, flow_data: { ...flow, after_completion } });
}

/**
 * Returns the URL where the owner buys a plan or confirms a change. Calling it changes neither the plan nor anything
 * at Stripe other than the open page. Parallel calls get the same page, and an account with a subscription never gets
 * a Checkout.
 * @throws AppError `conflict` for the current plan, for a lower one that the account's usage doesn't fit, and where the
 * operator gave the account its plan, since a payment wouldn't change that; `unauthenticated` if the account is closed;
 * `billing_off`; `unavailable`
 */
export async function startCheckout(user: Buyer, plan: PlanType): Promise<string> {
  return callStripeIn(async (tx) => {
    const row = await lockCustomerForOwner(tx, user.id);
    if ((await planSource(user.id, tx)) === 'operator') {
      throw new AppError('conflict', { message: PLAN_GRANTED });
    }
    const open = await reusableCheckoutUrl(row, plan);
    const { customer, found } = await ensureCustomer(tx, row, user);
    const running = runningSubscription(found);
    const current = running?.plan ?? 'Free';
    if (plan === current && !running?.changesAt) {
      throw new AppError('conflict', { message: `You’re already on the ${plan} plan.` });
    }
    if (PLAN_TYPES.indexOf(plan) < PLAN_TYPES.indexOf(current)) {
      const reason = downgradeBlocker(plan, await usageOf(tx, user.id));
      if (reason) throw new AppError('conflict', { message: reason });
    }
    if (running) {
      if (open && row.checkoutId) await expireCheckout(row.checkoutId);
      return planChangeUrl(customer, running, plan);
    }
    if (plan === 'Free') throw new AppError('conflict', { message: 'You’re already on the Free plan.' });
    return open ?? createPlanCheckout(tx, row, user, customer, plan);
  });
}

/** Returns the URL where the owner sees invoices and changes the card. @throws AppError `billing_off`, `unavailable` */
export async function customerPortal(user: Buyer): Promise<string> {
  return callStripeIn(async (tx) => {
    const { customer } = await ensureCustomer(tx, await lockCustomerForOwner(tx, user.id), user);
    const return_url = `${env().APP_URL}/settings/billing`;
    return openPortal({ customer, configuration: await planPortalConfiguration(), return_url });
  });
}

/** What the owner should know about upcoming changes to the plan. */
export interface BillingStatus {
  /** A scheduled change. */
  scheduledChange: { plan: PlanType; at: Date } | null;
  /** A payment failed; the plan stays until then. */
  unpaidUntil: Date | null;
  /** What the account's subscription pays for. It isn't the account's plan if the operator gave it one. */
  subscribedTo: PlanType | null;
}

/** Returns upcoming changes to the plan, from what was last read from Stripe. */
export async function getBillingStatus(userId: string): Promise<BillingStatus> {
  if (sitePlan()) return { scheduledChange: null, unpaidUntil: null, subscribedTo: null };
  const [known] = await db()
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, userId), eq(subscriptions.livemode, isLiveMode())))
    .orderBy(desc(subscriptions.periodEnd))
    .limit(1);
  return {
    scheduledChange:
      known?.nextPlan && known.changesAt ? { plan: known.nextPlan, at: known.changesAt } : null,
    unpaidUntil: known?.graceEndsAt ?? null,
    subscribedTo: known && isRunning(known) ? known.plan : null,
  };
}
