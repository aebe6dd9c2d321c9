import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/portability/imports/archive/contract';
import * as imports from '@/lib/portability/imports/archive/service';

export const POST = endpoint(contract.importEntry, ({ user, body }) => imports.importEntry(user.id, body));
