import { endpoint } from '@/lib/api/endpoint';
import { downloadExport as contract } from '@/lib/exports/contract';
import { exportAddress } from '@/lib/exports/service';

export const GET = endpoint(contract, async ({ user, params }) => {
  const location = await exportAddress(user.id, params.id);
  // Each download gets a fresh URL.
  return new Response(null, { status: 307, headers: { location, 'cache-control': 'private, no-store' } });
});
