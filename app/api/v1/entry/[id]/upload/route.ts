import { endpoint } from '@/lib/api/endpoint';
import { abortUpload } from '@/lib/uploads/abandoned';
import { abortUpload as abortContract, getUpload } from '@/lib/uploads/contract';
import { uploadState } from '@/lib/uploads/multipart';

export const GET = endpoint(getUpload, ({ user, params }) => uploadState(user.id, params.id));

export const DELETE = endpoint(abortContract, async ({ user, params }) => {
  await abortUpload(user.id, params.id);
  return {};
});
