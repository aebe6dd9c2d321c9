import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { customers } from '@/db/schema/billing';
import { outbox } from '@/db/schema/outbox';
import { canUpload, listPlans } from '@/lib/billing/plans/service';
import { AppError } from '@/lib/foundation/contract/errors';
import { advanceClock, submitForm } from '@/local/stripe/test-server';
import { type BillingFixture, startBillingFixture } from '@/test/billing-fixture';
import { makeEntry, makeUser } from '@/test/factories';
import { customerPortal, getBillingStatus, startCheckout } from './service';

let shop: BillingFixture;
/** After a jump of the Stripe server's clock many events are under way. */
const polling = { timeout: 30_000 };

beforeAll(async () => {
  shop = await startBillingFixture();
});
afterEach(() => {
  shop.webhooks = true;
});
afterAll(() => shop.end());

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error: unknown) => (error instanceof AppError ? `${error.code}: ${error.message}` : String(error)),
  );

describe('buying a plan', () => {
  it('changes nothing until it is paid', async () => {
    const user = await makeUser();
    const address = await startCheckout(user, 'Basic');
    expect(await shop.planOf(user.id)).toBe('Free');
    expect((await shop.pay(address, '4000000000000002')).status).toBe(402);
    expect(await shop.planOf(user.id)).toBe('Free');
    await shop.pay(address);
    expect(await shop.planOf(user.id)).toBe('Basic');
  });

  it('leads 20 parallel calls to one page, and never to a second subscription', async () => {
    const user = await makeUser();
    const addresses = await Promise.all(Array.from({ length: 20 }, () => startCheckout(user, 'Basic')));
    expect(new Set(addresses).size).toBe(1);
    const other = await startCheckout(user, 'Standard');
    expect((await shop.pay(addresses[0] ?? '')).status).toBe(410);
    await shop.pay(other);
    expect(await shop.subscriptionsOf(user.id)).toHaveLength(1);
    expect(await startCheckout(user, 'Basic')).toContain('/p/session/');
    expect(await shop.planOf(user.id)).toBe('Standard');
  });

  it('is refused once the account is closed, and leaves no customer at Stripe', async () => {
    const user = await makeUser({ disabledAt: new Date() });
    for (const ask of [() => startCheckout(user, 'Basic'), () => customerPortal(user)]) {
      expect(await refusal(ask())).toMatch(/^unauthenticated/);
    }
    expect(await shop.customerOf(user.id)).toBe('');
  });

  it('sees what was paid at Stripe before its webhook arrives', async () => {
    shop.webhooks = false;
    const user = await shop.subscriber('Basic');
    expect(await shop.planOf(user.id)).toBe('Free');
    expect(await refusal(startCheckout(user, 'Basic'))).toBe('conflict: You’re already on the Basic plan.');
    expect(await startCheckout(user, 'Standard')).toContain('/p/session/');
  });

  it('refuses the plan one has', async () => {
    const user = await makeUser();
    expect(await refusal(startCheckout(user, 'Free'))).toBe('conflict: You’re already on the Free plan.');
  });
});

describe('changing a plan', () => {
  it('upgrades at once', async () => {
    const user = await shop.subscriber('Basic');
    await shop.confirm(await startCheckout(user, 'Standard'));
    expect(await shop.planOf(user.id)).toBe('Standard');
    expect(await shop.subscriptionsOf(user.id)).toHaveLength(1);
  });

  it('downgrades when the period ends, shows that before, and offers to take it back', async () => {
    const user = await shop.subscriber('Standard');
    await shop.confirm(await startCheckout(user, 'Basic'));
    expect(await shop.planOf(user.id)).toBe('Standard');
    const { scheduledChange } = await getBillingStatus(user.id);
    expect(scheduledChange?.plan).toBe('Basic');
    const front = await startCheckout(user, 'Free');
    expect(await (await fetch(front)).text()).toContain('Cancel scheduled update');
    await submitForm(front, { action: 'release' });
    expect((await getBillingStatus(user.id)).scheduledChange).toBeNull();
  });

  it('refuses a downgrade that the library does not fit, with the numbers', async () => {
    const user = await shop.subscriber('Standard');
    await makeEntry(user.id, { bytes: 62e9 });
    const reason = 'You use 62.00 GB; Basic holds 50.00 GB. Delete 12.00 GB first.';
    expect((await listPlans(user.id)).plans).toMatchObject([
      { id: 'free', planType: 'Free', isLowerTier: true, canDowngrade: false, isCurrentPlan: false },
      { id: 'basic', planType: 'Basic', isLowerTier: true, canDowngrade: false, cantDowngradeReason: reason },
      { id: 'standard', planType: 'Standard', isLowerTier: false, canDowngrade: false, isCurrentPlan: true },
    ]);
    expect(await refusal(startCheckout(user, 'Basic'))).toBe(`conflict: ${reason}`);
  });

  it('withholds nothing but new uploads when the use outgrows the plan', async () => {
    const user = await shop.subscriber('Basic');
    await makeEntry(user.id, { bytes: 6e9 });
    expect(await canUpload(user.id)).toBe(true);
    await shop.stripe.subscriptions.cancel((await shop.subscriptionsOf(user.id))[0]?.id ?? '');
    await expect.poll(() => shop.planOf(user.id), polling).toBe('Free');
    expect(await canUpload(user.id)).toBe(false);
  });
});

describe('what happens at Stripe', () => {
  const mailsSent = async () => (await db().select().from(outbox).where(eq(outbox.kind, 'mail'))).length;

  it('gives the plan through a trial, its end and a renewal', async () => {
    const user = await shop.subscriber('Basic');
    const customer = await shop.customerOf(user.id);
    await shop.stripe.subscriptions.cancel((await shop.subscriptionsOf(user.id))[0]?.id ?? '');
    await expect.poll(() => shop.planOf(user.id), polling).toBe('Free');
    const price = (await shop.stripe.prices.list({ lookup_keys: ['daylight_basic'] })).data[0]?.id ?? '';
    const { id } = await shop.stripe.subscriptions.create({
      customer,
      items: [{ price }],
      trial_period_days: 7,
    });
    const now = async () => {
      const { status, items } = await shop.stripe.subscriptions.retrieve(id);
      return { status, end: items.data[0]?.current_period_end ?? 0 };
    };
    await expect.poll(() => shop.planOf(user.id), polling).toBe('Basic');
    const trial = await now();
    expect(trial.status).toBe('trialing');
    await advanceClock(shop.till.url(), 8);
    const paid = await now();
    expect([paid.status, await shop.planOf(user.id)]).toEqual(['active', 'Basic']);
    await advanceClock(shop.till.url(), 31);
    const renewed = await now();
    expect([renewed.status, await shop.planOf(user.id)]).toEqual(['active', 'Basic']);
    expect(trial.end < paid.end && paid.end < renewed.end).toBe(true);
  });

  it('keeps the plan through a failed payment, says so once, and ends it when Stripe gives up', async () => {
    const user = await shop.subscriber('Basic');
    await shop.stripe.customers.update(await shop.customerOf(user.id), { source: '4000000000000341' });
    const mails = await mailsSent();
    await advanceClock(shop.till.url(), 32);
    await expect
      .poll(async () => (await getBillingStatus(user.id)).unpaidUntil, polling)
      .toBeInstanceOf(Date);
    await expect.poll(mailsSent, polling).toBe(mails + 1);
    await advanceClock(shop.till.url(), 4);
    expect(await shop.planOf(user.id)).toBe('Basic');
    expect(await (await fetch(await startCheckout(user, 'Standard'))).text()).toContain(
      'The last payment failed.',
    );
    await advanceClock(shop.till.url(), 20);
    await expect.poll(() => shop.planOf(user.id), polling).toBe('Free');
    expect(await mailsSent()).toBe(mails + 1);
    expect(await startCheckout(user, 'Basic')).toContain('/c/pay/');
  });

  it('goes back to Free when a cancelled plan has run out, and not before', async () => {
    const user = await shop.subscriber('Standard');
    await shop.confirm(await startCheckout(user, 'Free'));
    expect(await shop.planOf(user.id)).toBe('Standard');
    expect((await getBillingStatus(user.id)).scheduledChange?.plan).toBe('Free');
    await advanceClock(shop.till.url(), 32);
    await expect.poll(() => shop.planOf(user.id), polling).toBe('Free');
  });

  it('follows the subscription after a refund, and ends it after a dispute', async () => {
    const refunded = await shop.subscriber('Basic');
    const [charge] = (await shop.stripe.charges.list({ customer: await shop.customerOf(refunded.id) })).data;
    await shop.stripe.refunds.create({ charge: charge?.id ?? '' });
    const disputing = await shop.subscriber('Basic', '4000000000000259');
    await expect.poll(() => shop.planOf(disputing.id), polling).toBe('Free');
    expect(await shop.subscriptionsOf(disputing.id)).toHaveLength(0);
    expect(await shop.planOf(refunded.id)).toBe('Basic');
  });

  it('outlives that a customer is deleted there', async () => {
    const user = await shop.subscriber('Basic');
    const customer = await shop.customerOf(user.id);
    await shop.stripe.customers.del(customer);
    await expect.poll(() => shop.planOf(user.id), polling).toBe('Free');
    await shop.pay(await startCheckout(user, 'Standard'));
    expect(await shop.planOf(user.id)).toBe('Standard');
    expect(await shop.customerOf(user.id)).not.toBe(customer);
  });

  it('outlives that a customer isn’t known there, as to another account at Stripe', async () => {
    const user = await shop.subscriber('Basic');
    const stripeId = `cus_elsewhere_${user.id}`;
    await db().update(customers).set({ stripeId }).where(eq(customers.userId, user.id));
    await shop.pay(await startCheckout(user, 'Standard'));
    expect(await shop.planOf(user.id)).toBe('Standard');
    expect(await shop.customerOf(user.id)).not.toBe(stripeId);
  });
});

it('says nothing of an account that has bought nothing, whatever others have', async () => {
  const buyer = await shop.subscriber('Basic');
  expect(await getBillingStatus(buyer.id)).toMatchObject({ subscribedTo: 'Basic' });
  expect(await getBillingStatus((await makeUser()).id)).toEqual({
    scheduledChange: null,
    unpaidUntil: null,
    subscribedTo: null,
  });
});

describe('the portal', () => {
  it('opens for everybody, with the invoices', async () => {
    const user = await makeUser();
    expect(await (await fetch(await customerPortal(user))).text()).toContain(
      "You don't have a subscription.",
    );
    const buyer = await shop.subscriber('Basic');
    expect(await (await fetch(await customerPortal(buyer))).text()).toContain('$5.00, paid');
  });
});
