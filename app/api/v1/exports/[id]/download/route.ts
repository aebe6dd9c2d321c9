import { endpoint } from '@/lib/api/endpoint';
import { downloadExport as contract } from '@/lib/exports/contract';
import { exportAddress } from '@/lib/exports/service';
import { redirectToMedia } from '@/lib/http/media-redirect';

// Each download gets a fresh URL.
export const GET = endpoint(contract, async ({ user, params }) =>
  redirectToMedia({ url: await exportAddress(user.id, params.id), sameForSeconds: 0 }),
);
