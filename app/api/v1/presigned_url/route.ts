import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/video/uploads/contract';
import { reserveUpload } from '@/lib/video/uploads/service';

export const GET = endpoint(contract.presignedUrl, ({ user, query }) => reserveUpload(user.id, query));
