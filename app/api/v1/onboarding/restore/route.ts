import * as contract from '@/lib/account/profile/contract';
import { restoreStep } from '@/lib/account/profile/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.restoreStep, async ({ user, body }) => {
  await restoreStep(user.id, body.step);
  return {};
});
