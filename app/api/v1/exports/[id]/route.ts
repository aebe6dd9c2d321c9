import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/portability/exports/contract';
import { deleteExport, getExport } from '@/lib/portability/exports/service';

export const GET = endpoint(contract.getExport, ({ user, params }) => getExport(user.id, params.id));

export const DELETE = endpoint(contract.deleteExport, ({ user, params }) => deleteExport(user.id, params.id));
