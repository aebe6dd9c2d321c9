import { endpoint } from '@/lib/api/endpoint';
import {
  createExport as createContract,
  listExports as listContract,
} from '@/lib/portability/exports/contract';
import { createExport, listExports } from '@/lib/portability/exports/service';

export const GET = endpoint(listContract, ({ user }) => listExports(user.id));

export const POST = endpoint(createContract, ({ user, body }) => createExport(user.id, body));
