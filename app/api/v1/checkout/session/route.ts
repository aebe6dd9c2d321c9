import { startCheckout as contract } from '@/lib/billing/contract';
import { startCheckout } from '@/lib/billing/service';
import { endpoint } from '@/lib/http/endpoint';
import { PLAN_IDS } from '@/lib/plans/limits';

export const POST = endpoint(contract, async ({ user, body }) => ({
  checkoutUrl: await startCheckout(user, PLAN_IDS[body.planId]),
}));
