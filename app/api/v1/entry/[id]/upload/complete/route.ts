import { endpoint } from '@/lib/api/endpoint';
import { completeUpload, finishUpload } from '@/lib/video/uploads/complete';
import {
  completeUpload as completeContract,
  finishUpload as finishContract,
} from '@/lib/video/uploads/contract';

export const GET = endpoint(completeContract, ({ user, params }) => completeUpload(user.id, params.id));

export const POST = endpoint(finishContract, ({ user, params, body }) =>
  finishUpload(user.id, params.id, body),
);
