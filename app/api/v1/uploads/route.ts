import { endpoint } from '@/lib/api/endpoint';
import { openUpload } from '@/lib/video/uploads/contract';
import * as uploads from '@/lib/video/uploads/service';

export const POST = endpoint(openUpload, ({ user, body }) => uploads.openUpload(user.id, body));
