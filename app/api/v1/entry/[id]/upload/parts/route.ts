import { endpoint } from '@/lib/api/endpoint';
import { signParts } from '@/lib/video/uploads/contract';
import * as uploads from '@/lib/video/uploads/multipart';

export const POST = endpoint(signParts, ({ user, params, body }) =>
  uploads.signParts(user.id, params.id, body),
);
