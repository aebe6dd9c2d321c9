import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/video/downloads/contract';
import { listDownloads } from '@/lib/video/downloads/service';

export const GET = endpoint(contract.listDownloads, async ({ user, params }) => ({
  downloads: await listDownloads(user.id, params.id),
}));
