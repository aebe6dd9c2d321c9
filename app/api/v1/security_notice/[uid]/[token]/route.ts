import { endpoint } from '@/lib/api/endpoint';
import { undoNotice as contract } from '@/lib/account/security/contract';
import { undoNotice } from '@/lib/account/security/undo';

export const POST = endpoint(contract, async ({ params }) => {
  await undoNotice(params.uid, params.token);
  return {};
});
