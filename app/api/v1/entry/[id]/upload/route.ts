import { endpoint } from '@/lib/api/endpoint';
import { abortUpload } from '@/lib/video/uploads/abandoned';
import { abortUpload as abortContract, getUpload } from '@/lib/video/uploads/contract';
import { uploadState } from '@/lib/video/uploads/multipart';

export const GET = endpoint(getUpload, ({ user, params }) => uploadState(user.id, params.id));

export const DELETE = endpoint(abortContract, async ({ user, params }) => {
  await abortUpload(user.id, params.id);
  return {};
});
