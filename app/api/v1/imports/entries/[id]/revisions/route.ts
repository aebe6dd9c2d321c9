import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/portability/imports/archive/contract';
import { importRevision } from '@/lib/portability/imports/archive/service';

export const POST = endpoint(contract.importRevision, ({ user, params, body }) =>
  importRevision(user.id, params.id, body),
);
