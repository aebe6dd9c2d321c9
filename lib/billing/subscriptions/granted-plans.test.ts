import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { outbox } from '@/db/schema/outbox';
import { heldVideoOptions } from '@/lib/billing/plans/held-videos';
import { listPlans, planDetails, planSource } from '@/lib/billing/plans/service';
import type { PlanType } from '@/lib/billing/plans/shared/limits';
import { decryptMail } from '@/lib/messaging/outbox/encrypted-mail';
import { advanceClock } from '@/local/stripe/test-server';
import { type BillingFixture, startBillingFixture } from '@/test/billing-fixture';
import { codeOf } from '@/test/error-code';
import { makeUser } from '@/test/factories';
import { reconcile } from './reconcile';
import { customerPortal, getBillingStatus, startCheckout } from './service';

let shop: BillingFixture;

beforeAll(async () => {
  shop = await startBillingFixture();
});
afterAll(() => shop.end());

const grant = (userId: string, grantedPlan: PlanType | null) =>
  db().update(users).set({ grantedPlan }).where(eq(users.id, userId));

const currentPlan = async (userId: string) => (await planDetails(userId)).currentPlan;

describe('a plan that the operator gave', () => {
  it('holds at once, and isn’t for sale', async () => {
    const user = await makeUser();
    await grant(user.id, 'Basic');
    expect([await currentPlan(user.id), await planSource(user.id)]).toEqual(['Basic', 'operator']);
    for (const plan of ['Free', 'Basic', 'Standard'] as const) {
      expect(await codeOf(startCheckout(user, plan)), plan).toBe('conflict');
    }
    expect(await heldVideoOptions(user.id, 200_000)).toMatchObject({ canChangePlan: false, upgrade: null });
    const { plans } = await listPlans(user.id);
    expect(plans.map(({ canDowngrade }) => canDowngrade)).toEqual([false, false, false]);
    expect(plans[0]?.cantDowngradeReason).toContain('gave you');
    await grant(user.id, null);
    expect([await currentPlan(user.id), await planSource(user.id)]).toEqual(['Free', 'subscription']);
    expect(await startCheckout(user, 'Basic')).toContain('http');
  });

  it('stays whatever happens to a subscription, which its owner keeps and can end', async () => {
    const user = await shop.subscriber('Basic');
    await grant(user.id, 'Standard');
    expect(await getBillingStatus(user.id)).toMatchObject({ subscribedTo: 'Basic' });
    expect(await customerPortal(user)).toContain('http');
    expect(await codeOf(startCheckout(user, 'Standard'))).toBe('conflict');
    const [running] = await shop.subscriptionsOf(user.id);
    await shop.stripe.subscriptions.cancel(String(running?.id));
    await reconcile();
    await expect.poll(() => shop.planOf(user.id), { timeout: 30_000 }).toBe('Free');
    expect(await currentPlan(user.id)).toBe('Standard');
    expect(await getBillingStatus(user.id)).toMatchObject({ subscribedTo: null });
  });

  it('is what the email about a failed payment speaks of', async () => {
    const user = await shop.subscriber('Basic');
    await grant(user.id, 'Standard');
    await shop.stripe.customers.update(await shop.customerOf(user.id), { source: '4000000000000341' });
    await advanceClock(shop.till.url(), 32);
    const mails = async () => {
      const rows = await db().select().from(outbox).where(eq(outbox.kind, 'mail'));
      const all = await Promise.all(rows.map(({ payload }) => decryptMail(payload)));
      return all.filter(({ to }) => to === user.email).map(({ text }) => text);
    };
    await expect
      .poll(mails, { timeout: 30_000 })
      .toEqual([expect.stringContaining('Your Standard plan doesn’t depend on it.')]);
    expect((await mails())[0]).not.toContain('stays active until');
  });

  it('gives way to the subscription when the operator takes it back', async () => {
    const user = await shop.subscriber('Standard');
    await grant(user.id, 'Free');
    expect(await currentPlan(user.id)).toBe('Free');
    await reconcile();
    expect(await currentPlan(user.id)).toBe('Free');
    await grant(user.id, null);
    expect(await currentPlan(user.id)).toBe('Standard');
  });
});
