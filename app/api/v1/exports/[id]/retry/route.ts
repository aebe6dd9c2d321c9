import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/portability/exports/contract';
import { retryExport } from '@/lib/portability/exports/service';

export const POST = endpoint(contract.retryExport, ({ user, params }) => retryExport(user.id, params.id));
