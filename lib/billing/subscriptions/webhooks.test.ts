import { eq } from 'drizzle-orm';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { customers, subscriptions, webhookEvents } from '@/db/schema/billing';
import { outbox } from '@/db/schema/outbox';
import { verifyWebhook } from '@/lib/clients/stripe';
import { advanceClock, TEST_WEBHOOK_SECRET } from '@/local/stripe/test-server';
import { type BillingFixture, startBillingFixture } from '@/test/billing-fixture';
import { applyEvent } from './events';
import { startCheckout } from './service';

let shop: BillingFixture;

beforeAll(async () => {
  shop = await startBillingFixture();
});
afterAll(() => shop.end());

/** Returns every permutation of some items. */
function orders<T>(things: T[]): T[][] {
  if (things.length <= 1) return [things];
  return things.flatMap((first, at) =>
    orders([...things.slice(0, at), ...things.slice(at + 1)]).map((rest) => [first, ...rest]),
  );
}

const eventsOf = async (customer: string, types: string[]): Promise<Stripe.Event[]> => {
  const all: Stripe.Event[] = [];
  for await (const event of shop.stripe.events.list({ types, limit: 100 })) {
    if (JSON.stringify(event.data.object).includes(customer)) all.push(event);
  }
  return all;
};

describe('a signature', () => {
  const body = JSON.stringify({ id: 'evt_1', object: 'event', type: 'customer.created', livemode: false });
  const now = Date.UTC(2026, 0, 15, 12);
  const sign = (payload: string, seconds: number, secret = TEST_WEBHOOK_SECRET) =>
    Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: now / 1000 + seconds });
  const read = (payload: string, header: string | null) => () =>
    verifyWebhook(Buffer.from(payload), header, now);

  it('is taken within 300 s in both directions', () => {
    for (const seconds of [0, -300, 300])
      expect(read(body, sign(body, seconds))()).toMatchObject({ id: 'evt_1' });
  });

  it('is refused when it is missing, forged, of another body, too old or from the future', () => {
    const good = sign(body, 0);
    const refused = [
      ...[read(body, null), read(body, ''), read(body, 'v1=00'), read(body, sign(body, 0, 'whsec_forged'))],
      ...[read(body.replace('false', 'true '), good), read(`${body} `, good)],
      ...[read(body, sign(body, -301)), read(body, sign(body, 301))],
      // The signed timestamp replaced or repeated, which would let an old one through.
      ...[
        read(body, sign(body, -900).replace(/t=\d+/, `t=${now / 1000}`)),
        read(body, `t=${now / 1000},${good}`),
      ],
    ];
    for (const attempt of refused) expect(attempt).toThrow('This isn’t a webhook from Stripe.');
  });
});

describe('an event', () => {
  it('of the other mode is refused', async () => {
    const event = { id: 'evt_live', type: 'invoice.paid', livemode: true, data: { object: {} } };
    await expect(applyEvent(event as unknown as Stripe.Event)).rejects.toMatchObject({ code: 'bad_request' });
  });

  it('has its effect once, also 20 times in parallel', async () => {
    shop.webhooks = true;
    const user = await shop.subscriber('Basic');
    const customer = await shop.customerOf(user.id);
    shop.webhooks = false;
    await shop.stripe.customers.update(customer, { source: '4000000000000341' });
    await advanceClock(shop.till.url(), 32);
    const failed = (await eventsOf(customer, ['invoice.payment_failed']))[0];
    if (!failed) throw new Error('no payment has failed');
    await Promise.all(Array.from({ length: 20 }, () => applyEvent(failed)));
    expect(await db().select().from(webhookEvents).where(eq(webhookEvents.id, failed.id))).toHaveLength(1);
    expect(await db().select().from(outbox).where(eq(outbox.kind, 'mail'))).toHaveLength(1);
    for (const event of await eventsOf(customer, ['customer.subscription.updated'])) await applyEvent(event);
    expect(await db().select().from(outbox).where(eq(outbox.kind, 'mail'))).toHaveLength(1);
  });

  it('of a customer that was deleted at Stripe ends its plan, and its address is forgotten', async () => {
    shop.webhooks = true;
    const user = await shop.subscriber('Basic');
    const customer = await shop.customerOf(user.id);
    expect(await shop.planOf(user.id)).toBe('Basic');
    shop.webhooks = false;
    await shop.stripe.customers.del(customer);
    const deleted = await eventsOf(customer, ['customer.deleted']);
    expect(deleted).toHaveLength(1);
    for (const event of deleted) await applyEvent(event);
    expect(await shop.planOf(user.id)).toBe('Free');
    const [row] = await db().select().from(customers).where(eq(customers.userId, user.id));
    expect(row).toMatchObject({ stripeId: null, checkoutId: null, email: null });
  });

  it('leads to the same plan in each of the 120 orders of five, and all at once', async () => {
    shop.webhooks = false;
    const user = await shop.subscriber('Basic');
    await shop.confirm(await startCheckout(user, 'Standard'));
    const customer = await shop.customerOf(user.id);
    const five = await purchaseEvents(customer);
    const start = async () => {
      await db().delete(webhookEvents);
      await db().delete(subscriptions);
      await db().update(users).set({ plan: 'Free' }).where(eq(users.id, user.id));
    };
    const plans = new Set<string | undefined>();
    for (const order of orders(five)) {
      await start();
      for (const event of order) await applyEvent(event);
      plans.add(await shop.planOf(user.id));
    }
    await start();
    await Promise.all(five.map((event) => applyEvent(event)));
    plans.add(await shop.planOf(user.id));
    expect([...plans]).toEqual(['Standard']);
  }, 180_000);
});

async function purchaseEvents(customer: string): Promise<Stripe.Event[]> {
  const types = [
    'checkout.session.completed',
    'customer.subscription.created',
    'customer.subscription.updated',
    'invoice.paid',
  ];
  const events = await eventsOf(customer, types);
  expect(events).toHaveLength(5);
  return events;
}
