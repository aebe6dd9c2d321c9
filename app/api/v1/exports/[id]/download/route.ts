import { endpoint } from '@/lib/api/endpoint';
import { redirectToMedia } from '@/lib/foundation/http/media-redirect';
import * as contract from '@/lib/portability/exports/contract';
import { exportAddress } from '@/lib/portability/exports/service';

// Each download gets a fresh URL.
export const GET = endpoint(contract.downloadExport, async ({ user, params }) =>
  redirectToMedia({ url: await exportAddress(user.id, params.id), sameForSeconds: 0 }),
);
