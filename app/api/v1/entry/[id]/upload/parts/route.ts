import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/video/uploads/contract';
import * as uploads from '@/lib/video/uploads/multipart';

export const POST = endpoint(contract.signParts, ({ user, params, body }) =>
  uploads.signParts(user.id, params.id, body),
);
