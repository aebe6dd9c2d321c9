import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/portability/imports/archive/contract';
import { importRevision } from '@/lib/portability/imports/archive/revisions';

export const POST = endpoint(contract.importRevision, async ({ user, params, body }) => {
  await importRevision(user.id, params.id, body);
  return {};
});
