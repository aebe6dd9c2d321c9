import { endpoint } from '@/lib/api/endpoint';
import { PLAN_IDS } from '@/lib/billing/plans/shared/limits';
import * as contract from '@/lib/billing/subscriptions/contract';
import { startCheckout } from '@/lib/billing/subscriptions/service';

export const POST = endpoint(contract.startCheckout, async ({ user, body }) => ({
  checkoutUrl: await startCheckout(user, PLAN_IDS[body.planId]),
}));
