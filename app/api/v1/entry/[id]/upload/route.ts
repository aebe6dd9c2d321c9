import { endpoint } from '@/lib/api/endpoint';
import { abortUpload } from '@/lib/video/uploads/abandoned';
import * as contract from '@/lib/video/uploads/contract';
import { uploadState } from '@/lib/video/uploads/multipart';

export const GET = endpoint(contract.getUpload, ({ user, params }) => uploadState(user.id, params.id));

export const DELETE = endpoint(contract.abortUpload, ({ user, params }) => abortUpload(user.id, params.id));
