import { endpoint } from '@/lib/api/endpoint';
import { checkImport } from '@/lib/imports/contract';
import * as imports from '@/lib/imports/service';

export const POST = endpoint(checkImport, ({ user, body }) => imports.checkImport(user.id, body));
