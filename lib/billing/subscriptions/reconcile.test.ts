import { randomUUID } from 'node:crypto';
import { eq, inArray, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { customers, subscriptions, webhookEvents } from '@/db/schema/billing';
import { type BillingFixture, startBillingFixture } from '@/test/billing-fixture';
import { makeUser } from '@/test/factories';
import { refuseWrites } from '@/test/refused-writes';
import { reconcile } from './reconcile';
import { startCheckout } from './service';

let shop: BillingFixture;
beforeAll(async () => {
  shop = await startBillingFixture();
});
afterEach(() => {
  shop.webhooks = true;
});
afterAll(() => shop.end());

describe('a lost webhook', () => {
  it('is caught up by the hourly comparison', async () => {
    shop.webhooks = false;
    const user = await shop.subscriber('Standard');
    expect(await shop.planOf(user.id)).toBe('Free');
    shop.webhooks = true;
    expect((await reconcile()).lost).toBeGreaterThan(0);
    expect(await shop.planOf(user.id)).toBe('Standard');
    expect((await reconcile()).lost).toBe(0);
  });
});

describe('reconciliation', () => {
  it('does its work for everybody else when it fails for one customer, and says that it failed', async () => {
    shop.webhooks = false;
    const others = [await shop.subscriber('Basic'), await shop.subscriber('Basic')];
    const stuck = await shop.subscriber('Basic');
    const last = await shop.subscriber('Basic');
    const healthy = [...others, last];
    await db()
      .insert(webhookEvents)
      .values({ id: 'evt_long_ago', type: 'invoice.paid', receivedAt: sql`now() - interval '41 days'` });
    const refuse = (table: string) => refuseWrites(table, 'insert or update', `new.user_id = '${stuck.id}'`);
    const mends = [await refuse('subscriptions'), await refuse('customers')];
    const ids = (accounts: { id: string }[]) => accounts.map(({ id }) => id);
    const plans = () => Promise.all([...healthy, stuck].map(({ id }) => shop.planOf(id)));
    try {
      // Events that were lost.
      await expect(reconcile()).rejects.toThrow();
      expect(await plans()).toEqual(['Basic', 'Basic', 'Basic', 'Free']);
      expect(await db().select().from(webhookEvents).where(eq(webhookEvents.id, 'evt_long_ago'))).toEqual([]);

      // Periods that have ended without news, and addresses that have changed.
      await db()
        .update(subscriptions)
        .set({ periodEnd: sql`now() - interval '2 hours'` })
        .where(inArray(subscriptions.userId, ids(healthy)));
      await db()
        .update(users)
        .set({ plan: 'Free', email: sql`${users.id} || '@elsewhere.test'` })
        .where(inArray(users.id, [...ids(healthy), stuck.id]));
      await expect(reconcile()).rejects.toThrow();
      expect(await plans()).toEqual(['Basic', 'Basic', 'Basic', 'Free']);
      for (const { id } of healthy) {
        const email = `${id}@elsewhere.test`;
        expect(await shop.stripe.customers.retrieve(await shop.customerOf(id))).toMatchObject({ email });
      }
    } finally {
      for (const mend of mends) await mend();
    }
    await reconcile();
    expect(await plans()).toEqual(['Basic', 'Basic', 'Basic', 'Basic']);
  });
});

describe('a plan that was bought in the other mode', () => {
  /** Makes an account on Basic, with a subscription in each of these modes. */
  async function onBasic(...modes: boolean[]) {
    const user = await makeUser({ plan: 'Basic' });
    for (const livemode of modes) {
      const period = { periodEnd: new Date(Date.now() + 86_400_000) };
      const values = {
        id: randomUUID(),
        userId: user.id,
        plan: 'Basic',
        status: 'active',
        ...period,
      } as const;
      await db()
        .insert(subscriptions)
        .values({ ...values, livemode });
    }
    return user.id;
  }

  it('ends once the keys are switched, unless one was bought in this mode, too', async () => {
    const [other, both, own, none] = [
      await onBasic(true),
      await onBasic(true, false),
      await onBasic(false),
      await onBasic(),
    ];
    await reconcile();
    const plans = [];
    for (const id of [other, both, own, none]) plans.push(await shop.planOf(id));
    expect(plans).toEqual(['Free', 'Basic', 'Basic', 'Basic']);
  });
});

describe('a changed mail address', () => {
  it('reaches Stripe within the hour, and no customer that was deleted there stands in its way', async () => {
    const gone = await shop.subscriber('Basic');
    const user = await shop.subscriber('Basic');
    const other = await shop.subscriber('Basic');
    const customer = await shop.customerOf(user.id);
    await shop.stripe.customers.del(await shop.customerOf(gone.id));
    for (const { id } of [gone, user]) {
      await db()
        .update(users)
        .set({ email: `${id}@elsewhere.test` })
        .where(eq(users.id, id));
    }
    await reconcile();
    expect(await shop.stripe.customers.retrieve(customer)).toMatchObject({
      email: `${user.id}@elsewhere.test`,
    });
    for (const [{ id }, email] of [
      [user, `${user.id}@elsewhere.test`],
      [other, other.email],
    ] as const)
      expect(await db().select().from(customers).where(eq(customers.userId, id))).toMatchObject([{ email }]);
  });

  it('isn’t sent for a customer of the other mode, whom Stripe doesn’t know', async () => {
    const user = await shop.subscriber('Basic');
    const customer = eq(customers.userId, user.id);
    await db().update(customers).set({ livemode: true }).where(customer);
    await db()
      .update(users)
      .set({ email: `${user.id}@elsewhere.test` })
      .where(eq(users.id, user.id));
    await reconcile();
    expect(await db().select().from(customers).where(customer)).toMatchObject([{ email: user.email }]);
  });

  it('that Stripe refuses keeps nobody from buying, and no other address waiting', async () => {
    const move = (id: string, email: string) => db().update(users).set({ email }).where(eq(users.id, id));
    const [refused, other] = [await shop.subscriber('Basic'), await shop.subscriber('Basic')];
    await move(refused.id, `jürgen-${refused.id}@elsewhere.test`);
    await move(other.id, `${other.id}@elsewhere.test`);
    await reconcile();
    const kept = await shop.stripe.customers.retrieve(await shop.customerOf(refused.id));
    expect(kept).toMatchObject({ email: refused.email });
    expect(await shop.stripe.customers.retrieve(await shop.customerOf(other.id))).toMatchObject({
      email: `${other.id}@elsewhere.test`,
    });

    const buyer = await makeUser();
    await shop.pay(
      await startCheckout({ id: buyer.id, email: `jürgen-${buyer.id}@elsewhere.test` }, 'Basic'),
    );
    expect(await shop.planOf(buyer.id)).toBe('Basic');
  });
});
