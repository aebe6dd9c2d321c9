import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { customers } from '@/db/schema/billing';
import { type BillingFixture, startBillingFixture } from '@/test/billing-fixture';
import { makeUser } from '@/test/factories';
import { countBilling, eraseBilling } from './erase';
import { startCheckout } from './service';

let shop: BillingFixture;
beforeAll(async () => {
  shop = await startBillingFixture();
});
afterAll(() => shop.end());

const rowOf = async (userId: string) => {
  const [row] = await db().select().from(customers).where(eq(customers.userId, userId));
  if (!row) throw new Error('the account has no customer');
  return row;
};

it('finishes what a crash interrupted after Stripe had deleted the customer', async () => {
  const user = await shop.subscriber('Basic');
  const { stripeId, checkoutId, email } = await rowOf(user.id);
  expect(await db().transaction((tx) => countBilling(tx, user.id))).toEqual({
    stripeCustomers: 1,
    subscriptions: 1,
  });
  // Their news could otherwise arrive at any moment and forget the customer first.
  shop.webhooks = false;
  await eraseBilling(user.id);
  // As if the transaction that forgets the customer had been lost.
  await db().update(customers).set({ stripeId, checkoutId, email }).where(eq(customers.userId, user.id));
  await eraseBilling(user.id);
  expect(await rowOf(user.id)).toMatchObject({ stripeId: null, checkoutId: null, email: null });
  expect(await shop.stripe.customers.retrieve(stripeId ?? '')).toMatchObject({ deleted: true });
  shop.webhooks = true;
});

it('finishes what a crash interrupted after the checkout had been closed', async () => {
  const user = await shop.subscriber('Basic');
  const other = await makeUser();
  await startCheckout(other, 'Standard');
  const { stripeId, checkoutId } = await rowOf(other.id);
  await shop.stripe.checkout.sessions.expire(checkoutId ?? '');
  await eraseBilling(other.id);
  expect(await rowOf(other.id)).toMatchObject({ stripeId: null, checkoutId: null });
  expect(await shop.stripe.customers.retrieve(stripeId ?? '')).toMatchObject({ deleted: true });
  // Nobody else's.
  expect(await shop.stripe.customers.retrieve(await shop.customerOf(user.id))).not.toHaveProperty('deleted');
});
