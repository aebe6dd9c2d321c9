import { endpoint } from '@/lib/api/endpoint';
import { checkImport } from '@/lib/portability/imports/archive/contract';
import * as imports from '@/lib/portability/imports/archive/service';

export const POST = endpoint(checkImport, ({ user, body }) => imports.checkImport(user.id, body));
