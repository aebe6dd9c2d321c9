import { endpoint } from '@/lib/http/endpoint';
import { signParts } from '@/lib/uploads/contract';
import * as uploads from '@/lib/uploads/multipart';

export const POST = endpoint(signParts, ({ user, params, body }) =>
  uploads.signParts(user.id, params.id, body),
);
