import { endpoint } from '@/lib/api/endpoint';
import { deleteExport as deleteContract, getExport as getContract } from '@/lib/portability/exports/contract';
import { deleteExport, getExport } from '@/lib/portability/exports/service';

export const GET = endpoint(getContract, ({ user, params }) => getExport(user.id, params.id));

export const DELETE = endpoint(deleteContract, async ({ user, params }) => {
  await deleteExport(user.id, params.id);
  return {};
});
