import { endpoint } from '@/lib/api/endpoint';
import { listDownloads as contract } from '@/lib/downloads/contract';
import { listDownloads } from '@/lib/downloads/service';

export const GET = endpoint(contract, async ({ user, params }) => ({
  downloads: await listDownloads(user.id, params.id),
}));
