import { eq, sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { db, type Transaction } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { customers, subscriptions, webhookEvents } from '@/db/schema/billing';
import { type BillingFixture, startBillingFixture } from '@/test/billing-fixture';
import { makeUser } from '@/test/factories';
import { duringTransaction } from '@/test/open-transaction';
import { changeCustomer, lockCustomer, syncWithStripe } from './customer';
import { applyEvent } from './events';
import { reconcile } from './reconcile';
import { startCheckout } from './service';

const DISPUTED_CARD = '4000000000000259';

let shop: BillingFixture;
beforeAll(async () => {
  shop = await startBillingFixture();
});
beforeEach(() => {
  shop.webhooks = true;
});
afterAll(() => shop.end());

const customerRow = async (userId: string) =>
  (await db().select().from(customers).where(eq(customers.userId, userId)))[0];

/** Returns the newest event of a type that's about this customer. */
async function findEvent(customer: string, type: string): Promise<Stripe.Event> {
  const { data } = await shop.stripe.events.list({ types: [type], limit: 100 });
  const event = data.find(({ data: { object } }) => JSON.stringify(object).includes(customer));
  if (!event) throw new Error(`There’s no ${type}.`);
  return event;
}

/** Locks an account's billing and changes nothing yet, as a request that reads from Stripe first. */
const lock = (userId: string) => (tx: Transaction) =>
  tx.select().from(customers).where(eq(customers.userId, userId)).for('update');

it('two tabs get one page and one customer', async () => {
  const user = await makeUser();
  const page = await startCheckout(user, 'Basic');
  const row = await customerRow(user.id);
  if (!row) throw new Error('There’s no customer.');
  const { stripeId, checkoutId } = row;
  await db().update(customers).set({ stripeId: null, checkoutId: null }).where(eq(customers.userId, user.id));
  const checkout = await duringTransaction(lock(user.id), () => startCheckout(user, 'Basic'), {
    finish: (tx) => changeCustomer(tx, row, { stripeId, checkoutId }),
  });
  expect(checkout).toEqual({ waited: true, outcome: { status: 'fulfilled', value: page } });
  expect(await customerRow(user.id)).toEqual(row);
});

it('an account that’s being erased gets no other customer', async () => {
  const user = await makeUser();
  await db().insert(customers).values({ userId: user.id, livemode: false });
  const checkout = await duringTransaction(lock(user.id), () => startCheckout(user, 'Basic'), {
    finish: (tx) => tx.update(users).set({ disabledAt: sql`now()` }).where(eq(users.id, user.id)),
  });
  expect(checkout).toMatchObject({
    waited: true,
    outcome: { status: 'rejected', reason: { code: 'unauthenticated' } },
  });
  expect(await shop.customerOf(user.id)).toBe('');
});

it('an older event that comes late doesn’t bring back the plan before', async () => {
  shop.webhooks = false;
  const user = await shop.subscriber('Basic');
  const event = await findEvent(await shop.customerOf(user.id), 'customer.subscription.created');
  await db().transaction(async (tx) => syncWithStripe(tx, await lockCustomer(tx, user.id)));
  expect(await shop.planOf(user.id)).toBe('Basic');
  const upgrade = await startCheckout(user, 'Standard');
  const older = await duringTransaction(
    async (tx) => {
      await lock(user.id)(tx);
      await tx.select().from(subscriptions).where(eq(subscriptions.userId, user.id)).for('update');
    },
    () => applyEvent(event),
    {
      finish: async (tx) => {
        await shop.confirm(upgrade);
        await syncWithStripe(tx, await lockCustomer(tx, user.id));
      },
    },
  );
  expect(older).toEqual({ waited: true, outcome: { status: 'fulfilled' } });
  expect(await shop.planOf(user.id)).toBe('Standard');
});

it('an event that’s delivered again while it’s handled has no effect', async () => {
  shop.webhooks = false;
  const user = await shop.subscriber('Basic', DISPUTED_CARD);
  const [charge] = (await shop.stripe.charges.list({ customer: await shop.customerOf(user.id) })).data;
  const event = await findEvent(charge?.id ?? '', 'charge.dispute.created');
  const again = await duringTransaction(
    (tx) => tx.insert(webhookEvents).values({ id: event.id, type: event.type }),
    () => applyEvent(event),
  );
  expect(again).toEqual({ waited: true, outcome: { status: 'fulfilled' } });
  expect(await shop.subscriptionsOf(user.id)).toHaveLength(1);
});

it('an erased customer’s address isn’t saved by a reconciliation that was under way', async () => {
  const user = await shop.subscriber('Basic');
  // Nothing else is left to do for this customer.
  await reconcile();
  await db()
    .update(users)
    .set({ email: `${user.id}@elsewhere.test` })
    .where(eq(users.id, user.id));
  const erased = { stripeId: null, checkoutId: null, email: null };
  const reconciled = await duringTransaction(
    async (tx) => changeCustomer(tx, await lockCustomer(tx, user.id), erased),
    reconcile,
  );
  expect(reconciled).toMatchObject({ waited: true, outcome: { status: 'fulfilled' } });
  expect(await customerRow(user.id)).toMatchObject(erased);
});
