import { endpoint } from '@/lib/api/endpoint';
import { presignedUrl } from '@/lib/video/uploads/contract';
import { reserveUpload } from '@/lib/video/uploads/reserve';

export const GET = endpoint(presignedUrl, ({ user, query }) => reserveUpload(user.id, query));
