import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { portalFeatures, portalFlow, startTestStripe } from './test-server';

// What the app relies on. With CONTRACT_STRIPE_SECRET_KEY, the same tests run against Stripe.
const realKey = process.env.CONTRACT_STRIPE_SECRET_KEY;
if (realKey && !realKey.includes('_test_')) throw new Error('CONTRACT_STRIPE_SECRET_KEY must be a test key.');

let end: () => Promise<void> = async () => undefined;
let stripe: Stripe;
const offers: { product: string; price: string; key: string }[] = [];
const made: string[] = [];

beforeAll(async () => {
  if (realKey) {
    stripe = new Stripe(realKey);
  } else {
    const local = await startTestStripe();
    stripe = local.sdk();
    end = local.end;
  }
  for (const [amount, key] of [
    [500, 'daylight_basic'],
    [1000, 'daylight_standard'],
  ] as const) {
    const { data } = await stripe.prices.list({ lookup_keys: [key], active: true, limit: 1 });
    const price = data[0] ?? (await createPrice(amount, key));
    offers.push({ product: String(price.product), price: price.id, key });
  }
});
afterAll(async () => {
  for (const id of made) await stripe.customers.del(id);
  await end();
});

/** Creates a price at Stripe; the stand-in comes with Daylight's. */
async function createPrice(unit_amount: number, lookup_key: string): Promise<Stripe.Price> {
  const { id: product } = await stripe.products.create({ name: lookup_key });
  const recurring = { interval: 'month' as const };
  return stripe.prices.create({ product, currency: 'usd', unit_amount, recurring, lookup_key });
}

async function customer(params: Stripe.CustomerCreateParams = {}): Promise<string> {
  const { id } = await stripe.customers.create({ email: 'contract@example.com', ...params });
  made.push(id);
  return id;
}

const subscribe = async (price: string | undefined) =>
  stripe.subscriptions.create({
    customer: await customer({ source: 'tok_visa' }),
    items: [{ price: price ?? '' }],
  });

describe(`Stripe's API as the app uses it${realKey ? ', at Stripe' : ''}`, () => {
  it('finds prices by lookup key and by id', async () => {
    const found = await stripe.prices.list({ lookup_keys: [offers[1]?.key ?? ''], active: true, limit: 1 });
    expect(found.data).toMatchObject([
      { id: offers[1]?.price, product: offers[1]?.product, unit_amount: 1000, livemode: false },
    ]);
    const { lookup_key } = await stripe.prices.retrieve(offers[1]?.price ?? '');
    expect(lookup_key).toBe('daylight_standard');
  });

  it('refuses a customer with an invalid email address', async () => {
    await expect(stripe.customers.create({ email: 'not an address' })).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
      code: 'email_invalid',
      param: 'email',
    });
  });

  it('refuses an unknown parameter, at any depth', async () => {
    const unknown: [string, () => Promise<unknown>][] = [
      ['mail', async () => stripe.customers.create({ mail: 'a@example.com' } as Stripe.CustomerCreateParams)],
      [
        'subscription_data[meta_data]',
        async () =>
          stripe.checkout.sessions.create({
            mode: 'subscription',
            customer: await customer(),
            line_items: [{ price: offers[0]?.price ?? '', quantity: 1 }],
            success_url: 'https://example.com/done',
            subscription_data: { meta_data: { userId: 'u1' } },
          } as Stripe.Checkout.SessionCreateParams),
      ],
      [
        'line_items[0][amount]',
        async () =>
          stripe.checkout.sessions.create({
            mode: 'subscription',
            customer: await customer(),
            line_items: [{ price: offers[0]?.price ?? '', amount: 1 }],
            success_url: 'https://example.com/done',
          } as unknown as Stripe.Checkout.SessionCreateParams),
      ],
      [
        'features[subscription_update][proration]',
        async () => {
          const features = portalFeatures(offers);
          const subscription_update = { ...features.subscription_update, proration: 'none' };
          return stripe.billingPortal.configurations.create({
            features: { ...features, subscription_update } as typeof features,
          });
        },
      ],
      [
        'created[since]',
        async () => stripe.events.list({ created: { since: 1 } as unknown as Stripe.RangeQueryParam }),
      ],
    ];
    for (const [param, call] of unknown) {
      await expect(call(), param).rejects.toMatchObject({
        type: 'StripeInvalidRequestError',
        statusCode: 400,
        code: 'parameter_unknown',
        param,
        message: expect.stringContaining(`Received unknown parameter: ${param}`),
      });
    }
  });

  it('opens a Checkout page and closes it once', async () => {
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: await customer(),
      client_reference_id: 'u1',
      metadata: { plan: 'Basic' },
      subscription_data: { metadata: { userId: 'u1' } },
      line_items: [{ price: offers[0]?.price ?? '', quantity: 1 }],
      success_url: 'https://example.com/done',
      cancel_url: 'https://example.com/back',
    });
    expect(session).toMatchObject({ status: 'open', payment_status: 'unpaid', metadata: { plan: 'Basic' } });
    expect(session.url).toMatch(/^https?:/);
    expect(await stripe.checkout.sessions.expire(session.id)).toMatchObject({ status: 'expired' });
    await expect(stripe.checkout.sessions.expire(session.id)).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
    });
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: 'expired',
      url: null,
    });
  });

  it('lists a customer’s subscriptions with schedule and latest invoice', async () => {
    const { id, customer: owner } = await subscribe(offers[0]?.price);
    const { data } = await stripe.subscriptions.list({
      customer: String(owner),
      limit: 100,
      expand: ['data.schedule', 'data.latest_invoice'],
    });
    expect(data).toMatchObject([
      {
        id,
        status: 'active',
        schedule: null,
        cancel_at_period_end: false,
        latest_invoice: { status: 'paid' },
      },
    ]);
    const item = data[0]?.items.data[0];
    expect(item).toMatchObject({ price: { id: offers[0]?.price, product: offers[0]?.product } });
    expect(item?.current_period_end).toBeGreaterThan(item?.current_period_start ?? 0);
  });

  it('opens the portal at the confirmation of a change, and of a cancellation', async () => {
    const subscription = await subscribe(offers[0]?.price);
    const metadata = { daylight: 'contract' };
    const { configurations, sessions } = stripe.billingPortal;
    const { id: configuration } = await configurations.create({ metadata, features: portalFeatures(offers) });
    const { data } = await configurations.list({ active: true, limit: 100 });
    expect(data.find(({ id }) => id === configuration)).toMatchObject({ metadata });
    const open = (price: string | null) =>
      sessions.create({
        customer: String(subscription.customer),
        configuration,
        return_url: 'https://example.com/',
        flow_data: portalFlow(subscription, price, 'https://example.com/after'),
      });
    expect(await open(offers[1]?.price ?? '')).toMatchObject({
      flow: { type: 'subscription_update_confirm' },
    });
    expect((await open(null)).url).toMatch(/^https?:/);
  });

  it('ends a subscription once, and shows a deleted customer as such', async () => {
    const { id, customer: owner } = await subscribe(offers[0]?.price);
    expect(await stripe.subscriptions.cancel(id)).toMatchObject({ status: 'canceled' });
    await expect(stripe.subscriptions.cancel(id)).rejects.toMatchObject({ code: 'resource_missing' });
    expect((await stripe.subscriptions.list({ customer: String(owner) })).data).toEqual([]);
    const gone = await customer();
    await stripe.customers.del(gone);
    made.pop();
    expect(await stripe.customers.retrieve(gone)).toMatchObject({ id: gone, deleted: true });
    await expect(stripe.customers.retrieve('cus_of_nobody')).rejects.toMatchObject({
      code: 'resource_missing',
    });
  });

  it('clears who a customer is', async () => {
    const { customer: owner } = await subscribe(offers[0]?.price);
    await stripe.customers.update(String(owner), { email: 'a@example.com', metadata: { user: 'u1' } });
    const cleared = { email: '', name: '', phone: '', description: '', address: '', shipping: '' } as const;
    const { email, metadata } = await stripe.customers.update(String(owner), { ...cleared, metadata: '' });
    expect({ email, metadata }).toEqual({ email: null, metadata: {} });
  });

  it('returns the customer of a charge, and lists events', async () => {
    const since = Math.floor(Date.now() / 1000) - 60;
    const { customer: owner } = await subscribe(offers[0]?.price);
    const [charge] = (await stripe.charges.list({ customer: String(owner) })).data;
    expect(await stripe.charges.retrieve(charge?.id ?? '')).toMatchObject({ customer: owner });
    const types = ['customer.subscription.created', 'invoice.paid'];
    const { data } = await stripe.events.list({ types, created: { gte: since }, limit: 100 });
    for (const type of types) {
      expect(
        data.find((event) => event.type === type && JSON.stringify(event).includes(String(owner))),
      ).toBeDefined();
    }
  });

  it('accepts an idempotency key for one request only', async () => {
    const options = { idempotencyKey: randomUUID() };
    const { id } = await stripe.customers.create({ email: 'a@example.com' }, options);
    made.push(id);
    expect((await stripe.customers.create({ email: 'a@example.com' }, options)).id).toBe(id);
    await expect(stripe.customers.create({ email: 'b@example.com' }, options)).rejects.toMatchObject({
      type: 'StripeIdempotencyError',
    });
  });
});
