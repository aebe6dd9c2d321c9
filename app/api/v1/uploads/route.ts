import { endpoint } from '@/lib/api/endpoint';
import { openUpload } from '@/lib/uploads/contract';
import * as uploads from '@/lib/uploads/service';

export const POST = endpoint(openUpload, ({ user, body }) => uploads.openUpload(user.id, body));
