import { endpoint } from '@/lib/api/endpoint';
import { startCheckout as contract } from '@/lib/billing/contract';
import { startCheckout } from '@/lib/billing/service';
import { PLAN_IDS } from '@/lib/plans/limits';

export const POST = endpoint(contract, async ({ user, body }) => ({
  checkoutUrl: await startCheckout(user, PLAN_IDS[body.planId]),
}));
