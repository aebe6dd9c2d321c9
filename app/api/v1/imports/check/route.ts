import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/portability/imports/archive/contract';
import * as imports from '@/lib/portability/imports/archive/service';

export const POST = endpoint(contract.checkImport, ({ user, body }) => imports.checkImport(user.id, body));
