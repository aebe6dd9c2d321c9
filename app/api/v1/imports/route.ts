import { endpoint } from '@/lib/api/endpoint';
import { createImport, listImports } from '@/lib/portability/imports/history/contract';
import * as history from '@/lib/portability/imports/history/service';

export const GET = endpoint(listImports, ({ user }) => history.listImports(user.id));

export const POST = endpoint(createImport, ({ user, body }) => history.createImport(user.id, body));
