import { endpoint } from '@/lib/api/endpoint';
import { completeUpload, finishUpload } from '@/lib/video/uploads/complete';
import * as contract from '@/lib/video/uploads/contract';

export const GET = endpoint(contract.completeUpload, ({ user, params }) =>
  completeUpload(user.id, params.id),
);

export const POST = endpoint(contract.finishUpload, ({ user, params, body }) =>
  finishUpload(user.id, params.id, body),
);
