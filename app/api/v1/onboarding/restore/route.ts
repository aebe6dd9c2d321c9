import { endpoint } from '@/lib/api/endpoint';
import { restoreStep as contract } from '@/lib/settings/contract';
import { restoreStep } from '@/lib/settings/service';

export const POST = endpoint(contract, async ({ user, body }) => {
  await restoreStep(user.id, body.step);
  return {};
});
