import { endpoint } from '@/lib/api/endpoint';
import { retryExport as contract } from '@/lib/exports/contract';
import { retryExport } from '@/lib/exports/service';

export const POST = endpoint(contract, ({ user, params }) => retryExport(user.id, params.id));
