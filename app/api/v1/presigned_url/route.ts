import { endpoint } from '@/lib/api/endpoint';
import { presignedUrl } from '@/lib/uploads/contract';
import { reserveUpload } from '@/lib/uploads/reserve';

export const GET = endpoint(presignedUrl, ({ user, query }) => reserveUpload(user.id, query));
