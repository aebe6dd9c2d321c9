import { and, eq, isNotNull } from 'drizzle-orm';
import { db, type Transaction } from '@/db/client';
import { customers } from '@/db/schema/billing';
import { log } from '@/lib/log';
import { sitePlan } from '@/lib/plans/service';
import { expireCheckout, isLiveMode } from '@/lib/services/stripe';
import { eraseCustomer } from '@/lib/services/stripe-erase';
import { changeCustomer, lockCustomer } from './customer';

/** Returns how many customers at Stripe {@link eraseBilling} would delete: one or none. */
export async function countCustomers(tx: Transaction, userId: string): Promise<number> {
  if (sitePlan()) return 0;
  const current = and(eq(customers.userId, userId), eq(customers.livemode, isLiveMode()));
  return tx.$count(customers, and(current, isNotNull(customers.stripeId)));
}

/**
 * Ends an account's subscription and deletes its customer at Stripe. A customer in the other mode, or from when the site
 * still charged, is out of reach and stays; the log names it.
 * @throws AppError `unavailable`
 */
export async function eraseBilling(userId: string): Promise<void> {
  if (!sitePlan()) {
    await db().transaction(async (tx) => {
      const row = await lockCustomer(tx, userId);
      if (!row.stripeId) return;
      if (row.checkoutId) await expireCheckout(row.checkoutId);
      await eraseCustomer(row.stripeId);
      await changeCustomer(tx, row, { stripeId: null, checkoutId: null, email: null });
    });
  }
  const left = await db()
    .select({ customer: customers.stripeId })
    .from(customers)
    .where(and(eq(customers.userId, userId), isNotNull(customers.stripeId)));
  for (const { customer } of left) {
    log.warn({ event: 'deletion.customer_left', customer }, 'a customer at Stripe has to be deleted by hand');
  }
}
