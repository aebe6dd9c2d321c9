import { and, eq, sql } from 'drizzle-orm';
import { noneOf } from '@/db/any-of';
import type { Transaction } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { customers, subscriptions } from '@/db/schema/billing';
import { releaseHeld } from '@/lib/billing/plans/held-videos';
import { isLiveMode, readSubscriptions } from '@/lib/clients/stripe';
import { log } from '@/lib/foundation/log';
import { enqueueMail } from '@/lib/messaging/outbox/service';
import { paymentFailedMail } from './mails';
import { currentOffers } from './prices';
import { entitledPlan, parseSubscription, type Subscription } from './subscription';

export type CustomerRow = typeof customers.$inferSelect;

const rowOf = (userId: string, livemode: boolean) =>
  and(eq(customers.userId, userId), eq(customers.livemode, livemode));

/** Locks an account's billing until the transaction ends. Creates its row the first time. */
export async function lockCustomer(tx: Transaction, userId: string): Promise<CustomerRow> {
  const livemode = isLiveMode();
  await tx.insert(customers).values({ userId, livemode }).onConflictDoNothing();
  const [row] = await tx.select().from(customers).where(rowOf(userId, livemode)).for('update');
  if (!row) throw new Error('the row of a customer is missing');
  return row;
}

/** Does the same by Stripe's id. @returns undefined if the customer isn't ours */
export async function lockCustomerByStripeId(
  tx: Transaction,
  stripeId: string,
): Promise<CustomerRow | undefined> {
  const [row] = await tx
    .select()
    .from(customers)
    .where(and(eq(customers.stripeId, stripeId), eq(customers.livemode, isLiveMode())))
    .for('update');
  return row;
}

/** Updates a customer's row. The caller holds its lock. */
export async function changeCustomer(
  tx: Transaction,
  { userId, livemode }: CustomerRow,
  change: Partial<Pick<CustomerRow, 'stripeId' | 'checkoutId' | 'email'>>,
): Promise<void> {
  await tx.update(customers).set(change).where(rowOf(userId, livemode));
}

/**
 * Returns a customer's subscriptions as Stripe has them now.
 * @returns null if the customer no longer exists at Stripe
 */
export async function fetchSubscriptions(stripeId: string): Promise<Subscription[] | null> {
  const [found, offers] = await Promise.all([readSubscriptions(stripeId), currentOffers()]);
  return found?.map((one) => parseSubscription(one, offers)) ?? null;
}

async function replaceSubscriptions(tx: Transaction, row: CustomerRow, found: Subscription[]): Promise<void> {
  const { userId, livemode } = row;
  const ids = found.map(({ id }) => id);
  const own = and(eq(subscriptions.userId, userId), eq(subscriptions.livemode, livemode));
  await tx.delete(subscriptions).where(and(own, noneOf(subscriptions.id, ids)));
  for (const { item, ...values } of found) {
    await tx
      .insert(subscriptions)
      .values({ userId, livemode, ...values })
      .onConflictDoUpdate({ target: subscriptions.id, set: values });
  }
}

/** Emails the owner once about a failed payment, when a subscription is first seen unpaid. */
async function notifyPaymentFailure(tx: Transaction, row: CustomerRow, found: Subscription[]): Promise<void> {
  const unpaid = found.find(({ status, plan }) => status === 'past_due' && plan !== null);
  if (!unpaid?.plan || !unpaid.graceEndsAt) return;
  const [known] = await tx.select().from(subscriptions).where(eq(subscriptions.id, unpaid.id));
  if (known?.status === 'past_due') return;
  const [user] = await tx.select().from(users).where(eq(users.id, row.userId));
  if (user) await enqueueMail(tx, await paymentFailedMail(user, unpaid.plan, unpaid.graceEndsAt));
}

/**
 * Sets the account's plan to what Stripe says right now. The caller holds the lock, so the last to read is also the
 * last to write: whatever order events arrive in, the plan ends up matching the subscription.
 */
export async function syncWithStripe(tx: Transaction, row: CustomerRow): Promise<void> {
  const { userId, stripeId } = row;
  const read = stripeId ? await fetchSubscriptions(stripeId) : null;
  if (stripeId && !read) {
    log.warn({ event: 'billing.customer_gone', userId }, 'the customer was deleted at Stripe');
    await changeCustomer(tx, row, { stripeId: null, checkoutId: null, email: null });
  }
  const found = read ?? [];
  if (found.filter((one) => one.plan && entitledPlan([one]) !== 'Free').length > 1) {
    log.error(
      { event: 'billing.duplicate_subscription', userId },
      'a customer has two subscriptions at Stripe: cancel one of them',
    );
  }
  if (found.some(({ plan }) => plan === null)) {
    log.error({ event: 'billing.unknown_price', userId }, 'a subscription has an unknown price');
  }
  await notifyPaymentFailure(tx, row, found);
  await replaceSubscriptions(tx, row, found);
  const plan = entitledPlan(found);
  const changed = await tx
    .update(users)
    .set({ plan })
    .where(and(eq(users.id, userId), sql`${users.plan} <> ${plan}`))
    .returning({ id: users.id });
  if (changed.length === 0) return;
  log.info({ event: 'billing.plan', userId, plan }, 'plan changed');
  await releaseHeld(tx, userId);
}
