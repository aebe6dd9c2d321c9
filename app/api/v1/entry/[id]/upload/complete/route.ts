import { endpoint } from '@/lib/api/endpoint';
import { completeUpload, finishUpload } from '@/lib/uploads/contract';
import * as multipart from '@/lib/uploads/multipart';
import * as uploads from '@/lib/uploads/service';

export const GET = endpoint(completeUpload, ({ user, params }) => uploads.completeUpload(user.id, params.id));

export const POST = endpoint(finishUpload, ({ user, params, body }) =>
  multipart.finishUpload(user.id, params.id, body),
);
