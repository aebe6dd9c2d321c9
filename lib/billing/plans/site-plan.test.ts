import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { subscriptions } from '@/db/schema/billing';
import { entries } from '@/db/schema/entries';
import { receiveWebhook } from '@/lib/billing/subscriptions/events';
import { reconcile } from '@/lib/billing/subscriptions/reconcile';
import { customerPortal, getBillingStatus, startCheckout } from '@/lib/billing/subscriptions/service';
import { codeOf } from '@/test/error-code';
import { makeEntry, makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { heldVideoOptions, releaseFittingVideos } from './held-videos';
import { canUpload, listPlans, planDetails, planSource } from './service';
import { PLAN_LIMITS } from './shared/limits';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
  for (const name of Object.keys(process.env)) if (name.startsWith('STRIPE_')) delete process.env[name];
  process.env.DEFAULT_PLAN = 'Basic';
});
afterAll(() => services.end());

const grant = (userId: string, grantedPlan: 'Free' | 'Standard' | null) =>
  db().update(users).set({ grantedPlan }).where(eq(users.id, userId));

/** An account that bought a plan while the site still charged. */
async function formerSubscriber() {
  const user = await makeUser({ plan: 'Standard' });
  const ends = new Date(Date.now() + 86_400_000);
  await db()
    .insert(subscriptions)
    .values({
      id: `sub_${user.id}`,
      userId: user.id,
      livemode: false,
      plan: 'Standard',
      status: 'past_due',
      periodEnd: ends,
      nextPlan: 'Free',
      changesAt: ends,
      graceEndsAt: ends,
    });
  return user;
}

describe('a site that doesn’t charge', () => {
  it('gives every account its own plan, whatever they bought before', async () => {
    for (const user of [await makeUser(), await formerSubscriber()]) {
      expect(await planDetails(user.id)).toMatchObject({ currentPlan: 'Basic', videoCountLimit: 400 });
      expect(await planSource(user.id)).toBe('site');
      expect(await getBillingStatus(user.id)).toEqual({
        scheduledChange: null,
        unpaidUntil: null,
        subscribedTo: null,
      });
      const { plans } = await listPlans(user.id);
      expect(plans.filter((plan) => plan.isCurrentPlan || plan.canDowngrade)).toMatchObject([
        { id: 'basic' },
      ]);
      expect(plans[0]?.cantDowngradeReason).toContain('doesn’t charge');
    }
  });

  it('counts what accounts use against that plan', async () => {
    const { id } = await makeUser();
    await makeEntry(id, { durationMs: (PLAN_LIMITS.Basic.seconds - 1) * 1000 });
    expect(await canUpload(id)).toBe(true);
    await makeEntry(id, { durationMs: 1000 });
    expect(await canUpload(id)).toBe(false);
  });

  it('sells nothing, and leaves Stripe alone', async () => {
    const user = await formerSubscriber();
    expect(await codeOf(startCheckout(user, 'Standard'))).toBe('billing_off');
    expect(await codeOf(customerPortal(user))).toBe('billing_off');
    const signed = `t=${Math.floor(Date.now() / 1000)},v1=00`;
    expect(await codeOf(receiveWebhook(Buffer.from('{}'), signed))).toBe('billing_off');
    expect(await reconcile()).toEqual({ lost: 0 });
  });

  it('lets the operator give an account another plan, which its videos are measured by at once', async () => {
    const { id } = await makeUser();
    await grant(id, 'Free');
    const seconds = PLAN_LIMITS.Free.seconds + 60;
    const held = {
      heldByPlan: true,
      videoStatus: 'failed',
      durationMs: seconds * 1000,
      videoKey: null,
    } as const;
    const entry = await makeEntry(id, held);
    const status = async () =>
      (await db().select().from(entries).where(eq(entries.id, entry.id)))[0]?.videoStatus;
    expect(await planSource(id)).toBe('operator');
    expect(await planDetails(id)).toMatchObject({ currentPlan: 'Free' });
    expect(await heldVideoOptions(id, seconds)).toMatchObject({
      plan: 'Free',
      canChangePlan: false,
      upgrade: null,
      secondsOver: 60,
    });
    await releaseFittingVideos();
    expect(await status()).toBe('failed');
    await grant(id, null);
    await releaseFittingVideos();
    expect(await status()).toBe('processing');
  });
});
