import { endpoint } from '@/lib/api/endpoint';
import { startCheckout as contract } from '@/lib/billing/subscriptions/contract';
import { startCheckout } from '@/lib/billing/subscriptions/service';
import { PLAN_IDS } from '@/lib/billing/plans/shared/limits';

export const POST = endpoint(contract, async ({ user, body }) => ({
  checkoutUrl: await startCheckout(user, PLAN_IDS[body.planId]),
}));
