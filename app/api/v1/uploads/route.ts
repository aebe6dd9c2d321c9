import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/video/uploads/contract';
import * as uploads from '@/lib/video/uploads/service';

export const POST = endpoint(contract.openUpload, ({ user, body }) => uploads.openUpload(user.id, body));
