import { endpoint } from '@/lib/api/endpoint';
import { importRevision as importContract } from '@/lib/imports/contract';
import { importRevision } from '@/lib/imports/revisions';

export const POST = endpoint(importContract, async ({ user, params, body }) => {
  await importRevision(user.id, params.id, body);
  return {};
});
