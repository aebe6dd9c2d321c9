import { endpoint } from '@/lib/api/endpoint';
import { presignedUrl } from '@/lib/uploads/contract';
import { reserveUpload } from '@/lib/uploads/service';

export const GET = endpoint(presignedUrl, ({ user, query }) => reserveUpload(user.id, query));
