import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  advanceClock,
  createStripeSdk,
  portalFeatures,
  portalFlow,
  startTestStripe,
  submitForm,
  TEST_WEBHOOK_SECRET,
} from './test-server';

let local: Awaited<ReturnType<typeof startTestStripe>>;
let stripe: Stripe;
const site = 'http://localhost:3000';

beforeAll(async () => {
  local = await startTestStripe();
  stripe = local.sdk();
});
afterAll(() => local.end());

const priceId = async (lookupKey: string): Promise<string> =>
  (await stripe.prices.list({ lookup_keys: [lookupKey], active: true })).data[0]?.id ?? '';

async function buyer() {
  return stripe.customers.create({ email: 'ada@example.com', metadata: { user: 'u1' } });
}

async function openCheckout(customer: string, price = 'daylight_basic') {
  return stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price: await priceId(price), quantity: 1 }],
    success_url: `${site}/done?session={CHECKOUT_SESSION_ID}`,
    cancel_url: `${site}/back`,
  });
}

/** Returns a customer with a subscription bought on the Checkout page. */
async function subscriber(price = 'daylight_basic', card = '4242 4242 4242 4242') {
  const customer = await buyer();
  const { url, id } = await openCheckout(customer.id, price);
  await submitForm(url ?? '', { action: 'pay', card });
  const session = await stripe.checkout.sessions.retrieve(id, { expand: ['subscription'] });
  return { customer: customer.id, subscription: session.subscription as Stripe.Subscription };
}

/** Returns what a customer paid, oldest first. */
async function paidAmounts(customer: string): Promise<number[]> {
  const { data } = await stripe.events.list({ types: ['invoice.paid'], limit: 100 });
  const invoices = data.map((event) => event.data.object as Stripe.Invoice);
  return invoices
    .filter((one) => one.customer === customer)
    .map((one) => one.amount_paid)
    .reverse();
}

async function portalConfiguration(): Promise<string> {
  const prices = await Promise.all(['daylight_basic', 'daylight_standard'].map(priceId));
  const offers = prices.map(async (price) => ({
    price,
    product: String((await stripe.prices.retrieve(price)).product),
  }));
  const features = portalFeatures(await Promise.all(offers));
  return (await stripe.billingPortal.configurations.create({ features })).id;
}

/** Opens the portal at a change to a price, or at the cancellation. Returns its address. */
async function openPortal(subscription: Stripe.Subscription, price: string | null): Promise<string> {
  const { url } = await stripe.billingPortal.sessions.create({
    customer: String(subscription.customer),
    configuration: await portalConfiguration(),
    return_url: `${site}/settings`,
    flow_data: portalFlow(subscription, price, `${site}/changed`),
  });
  return url;
}

describe('checkout', () => {
  it('accepts a good card and starts the subscription', async () => {
    const { id } = await buyer();
    const session = await openCheckout(id);
    expect(session).toMatchObject({ status: 'open', payment_status: 'unpaid', amount_total: 500 });
    const page = await (await fetch(session.url ?? '')).text();
    expect(page).toContain('Daylight Basic');
    const paid = await submitForm(session.url ?? '', { action: 'pay', card: '4242424242424242' });
    expect(paid.status).toBe(303);
    expect(paid.headers.get('location')).toBe(`${site}/done?session=${session.id}`);
    const expand = ['data.latest_invoice', 'data.schedule'];
    expect((await stripe.subscriptions.list({ customer: id, expand })).data).toMatchObject([
      { status: 'active', schedule: null, latest_invoice: { status: 'paid', amount_paid: 500 } },
    ]);
    const again = await submitForm(session.url ?? '', { action: 'pay', card: '4242424242424242' });
    expect(again.status).toBe(410);
  });

  it('starts nothing when the card is declined', async () => {
    const { id } = await buyer();
    const { url } = await openCheckout(id);
    const declined = await submitForm(url ?? '', { action: 'pay', card: '4000 0000 0000 0002' });
    expect(declined.status).toBe(402);
    expect(await declined.text()).toContain('Your card was declined.');
    expect((await stripe.subscriptions.list({ customer: id, status: 'all' })).data).toHaveLength(0);
  });
});

describe('the portal', () => {
  it('upgrades right away, prorated', async () => {
    const { customer, subscription } = await subscriber();
    const url = await openPortal(subscription, await priceId('daylight_standard'));
    const done = await submitForm(url, { action: 'confirm' });
    expect(done.headers.get('location')).toBe(`${site}/changed`);
    const now = await stripe.subscriptions.retrieve(subscription.id);
    expect(now.items.data[0]?.price.lookup_key).toBe('daylight_standard');
    expect(await paidAmounts(customer)).toEqual([500, 500]);
  });

  it('schedules a downgrade for the end of the period, until it is released', async () => {
    const { subscription } = await subscriber('daylight_standard');
    const basic = await priceId('daylight_basic');
    const url = await openPortal(subscription, basic);
    await submitForm(url, { action: 'confirm' });
    const waiting = await stripe.subscriptions.retrieve(subscription.id, { expand: ['schedule'] });
    expect(waiting.items.data[0]?.price.lookup_key).toBe('daylight_standard');
    expect((waiting.schedule as Stripe.SubscriptionSchedule).phases[1]?.items[0]?.price).toBe(basic);
    await submitForm(url, { action: 'release' });
    expect((await stripe.subscriptions.retrieve(subscription.id)).schedule).toBeNull();
  });

  it('cancels at the end of the period', async () => {
    const { subscription } = await subscriber();
    const url = await openPortal(subscription, null);
    await submitForm(url, { action: 'confirm' });
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      status: 'active',
      cancel_at_period_end: true,
    });
  });
});

describe('the API', () => {
  it('refuses a wrong key and an unknown id', async () => {
    const stranger = createStripeSdk({ url: local.url() }, 'sk_test_wrong');
    await expect(stranger.subscriptions.list()).rejects.toMatchObject({ type: 'StripeAuthenticationError' });
    await expect(stripe.customers.retrieve('cus_none')).rejects.toMatchObject({ code: 'resource_missing' });
  });

  const unsupported: [string, () => Promise<unknown>][] = [
    ['coupons', () => stripe.coupons.list()],
    ['payment intents', () => stripe.paymentIntents.create({ amount: 500, currency: 'usd' })],
    ['a list of customers', () => stripe.customers.list()],
    ['a change of a price', () => stripe.prices.update('price_1', { active: false })],
  ];
  it.each(unsupported)("says that it doesn't implement %s", async (_, call) => {
    await expect(call()).rejects.toMatchObject({
      statusCode: 404,
      type: 'StripeInvalidRequestError',
      message: expect.stringContaining('The local Stripe implements only what the app calls.'),
    });
  });

  it("refuses modes, flows and expansions that it doesn't implement", async () => {
    const { customer, subscription } = await subscriber();
    const mode = { mode: 'payment' as const, customer, success_url: site };
    await expect(stripe.checkout.sessions.create(mode)).rejects.toThrow('subscriptions only');
    const configuration = await portalConfiguration();
    const flow_data = { type: 'payment_method_update' as const };
    const portal = stripe.billingPortal.sessions.create({ customer, configuration, flow_data });
    await expect(portal).rejects.toThrow("doesn't implement the flow payment_method_update");
    const expanded = stripe.subscriptions.retrieve(subscription.id, { expand: ['customer'] });
    await expect(expanded).rejects.toThrow('cannot be expanded (customer)');
  });

  it('returns lists in pages', async () => {
    const { customer } = await subscriber();
    const types = ['customer.subscription.created', 'charge.succeeded', 'invoice.paid'];
    const seen: string[] = [];
    for await (const event of stripe.events.list({ types, limit: 2 })) {
      if ((event.data.object as { customer?: string }).customer === customer) seen.push(event.type);
    }
    expect(seen).toEqual(types.toReversed().toSorted((a, b) => types.indexOf(b) - types.indexOf(a)));
  });
});

describe('webhooks', () => {
  it('are signed, and retried until they are accepted, also after a restart', async () => {
    local.receiver.status = 500;
    const { id } = await buyer();
    const of = () => local.receiver.received.filter(({ body }) => body.includes(id));
    const WAIT = { timeout: 60_000 };
    await vi.waitFor(() => expect(of()).not.toEqual([]), WAIT);
    await local.restart();
    stripe = local.sdk();
    local.receiver.status = 200;
    const { length } = of();
    const last = await vi.waitFor(() => of()[length] ?? Promise.reject(new Error('no webhook yet')), WAIT);
    const event = stripe.webhooks.constructEvent(last.body, last.signature, TEST_WEBHOOK_SECRET);
    expect(event).toMatchObject({
      type: 'customer.created',
      livemode: false,
      api_version: Stripe.API_VERSION,
    });
    expect(event.data.object).toMatchObject({ id });
  });
});

describe('the clock', () => {
  it('goes through trial, renewal, failure and cancellation', async () => {
    const customer = await stripe.customers.create({ source: '4242424242424242' });
    const price = await priceId('daylight_basic');
    const { id } = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price }],
      trial_period_days: 7,
    });
    const status = async () => (await stripe.subscriptions.retrieve(id)).status;
    expect(await status()).toBe('trialing');
    await advanceClock(local.url(), 8);
    expect(await status()).toBe('active');
    await advanceClock(local.url(), 31);
    expect(await paidAmounts(customer.id)).toEqual([0, 500, 500]);
    await stripe.customers.update(customer.id, { source: '4000000000000341' });
    await advanceClock(local.url(), 31);
    expect(await status()).toBe('past_due');
    await advanceClock(local.url(), 20);
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'payment_failed' },
    });
  });

  it('applies a downgrade and a cancellation when the period ends', async () => {
    const { subscription } = await subscriber('daylight_standard');
    const url = await openPortal(subscription, await priceId('daylight_basic'));
    await submitForm(url, { action: 'confirm' });
    await advanceClock(local.url(), 31);
    const later = await stripe.subscriptions.retrieve(subscription.id);
    expect(later.items.data[0]?.price.lookup_key).toBe('daylight_basic');
    expect(later.schedule).toBeNull();
    await submitForm(await openPortal(subscription, null), { action: 'confirm' });
    await advanceClock(local.url(), 31);
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('canceled');
  });
});
