import { endpoint } from '@/lib/api/endpoint';
import { signParts } from '@/lib/uploads/contract';
import * as uploads from '@/lib/uploads/multipart';

export const POST = endpoint(signParts, ({ user, params, body }) =>
  uploads.signParts(user.id, params.id, body),
);
