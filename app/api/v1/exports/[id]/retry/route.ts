import { endpoint } from '@/lib/api/endpoint';
import { retryExport as contract } from '@/lib/portability/exports/contract';
import { retryExport } from '@/lib/portability/exports/service';

export const POST = endpoint(contract, ({ user, params }) => retryExport(user.id, params.id));
