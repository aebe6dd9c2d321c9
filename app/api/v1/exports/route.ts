import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/portability/exports/contract';
import { createExport, listExports } from '@/lib/portability/exports/service';

export const GET = endpoint(contract.listExports, ({ user }) => listExports(user.id));

export const POST = endpoint(contract.createExport, ({ user, body }) => createExport(user.id, body));
