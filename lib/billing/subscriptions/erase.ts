import { and, eq, isNotNull } from 'drizzle-orm';
import { db, type Transaction } from '@/db/client';
import { customers, subscriptions } from '@/db/schema/billing';
import { sitePlan } from '@/lib/billing/plans/service';
import { eraseCustomer, expireCheckout, isLiveMode } from '@/lib/clients/stripe';
import { log } from '@/lib/foundation/log';
import { changeCustomer, lockCustomer } from './customer';
import { isRunning } from './subscription';

/** Returns how many customers at Stripe {@link eraseBilling} would delete, one or none, and subscriptions it would end. */
export async function countBilling(tx: Transaction, userId: string) {
  if (sitePlan()) return { stripeCustomers: 0, subscriptions: 0 };
  const livemode = isLiveMode();
  const customer = and(eq(customers.userId, userId), eq(customers.livemode, livemode));
  const known = await tx
    .select({ status: subscriptions.status })
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, userId), eq(subscriptions.livemode, livemode)));
  return {
    stripeCustomers: await tx.$count(customers, and(customer, isNotNull(customers.stripeId))),
    subscriptions: known.filter(isRunning).length,
  };
}

/**
 * Ends an account's subscription and deletes its customer at Stripe, unless the site no longer charges.
 * @throws AppError `unavailable`
 */
export async function eraseBilling(userId: string): Promise<void> {
  if (sitePlan()) return;
  await db().transaction(async (tx) => {
    const row = await lockCustomer(tx, userId);
    if (!row.stripeId) return;
    if (row.checkoutId) await expireCheckout(row.checkoutId);
    await eraseCustomer(row.stripeId);
    await changeCustomer(tx, row, { stripeId: null, checkoutId: null, email: null });
  });
}

/**
 * Logs the customers of an account that {@link eraseBilling} can't reach: those in the other mode, or from when the site
 * still charged. Call it once, when nothing else of the account is left.
 */
export async function warnOfLeftCustomers(userId: string): Promise<void> {
  const left = await db()
    .select({ customer: customers.stripeId })
    .from(customers)
    .where(and(eq(customers.userId, userId), isNotNull(customers.stripeId)));
  for (const { customer } of left) {
    log.warn({ event: 'deletion.customer_left', customer }, 'a customer at Stripe has to be deleted by hand');
  }
}
