import { endpoint } from '@/lib/api/endpoint';
import { importRevision as importContract } from '@/lib/portability/imports/archive/contract';
import { importRevision } from '@/lib/portability/imports/archive/revisions';

export const POST = endpoint(importContract, async ({ user, params, body }) => {
  await importRevision(user.id, params.id, body);
  return {};
});
