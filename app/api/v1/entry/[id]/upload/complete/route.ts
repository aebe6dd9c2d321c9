import { endpoint } from '@/lib/api/endpoint';
import { completeUpload, finishUpload as finishContract } from '@/lib/uploads/contract';
import { finishUpload } from '@/lib/uploads/multipart';
import { markUploaded } from '@/lib/uploads/service';

export const GET = endpoint(completeUpload, ({ user, params }) => markUploaded(user.id, params.id));

export const POST = endpoint(finishContract, ({ user, params, body }) =>
  finishUpload(user.id, params.id, body),
);
