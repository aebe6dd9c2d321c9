import { endpoint } from '@/lib/api/endpoint';
import { dismissStep as contract } from '@/lib/settings/contract';
import { dismissStep } from '@/lib/settings/service';

export const POST = endpoint(contract, async ({ user, body }) => {
  await dismissStep(user.id, body.step);
  return {};
});
