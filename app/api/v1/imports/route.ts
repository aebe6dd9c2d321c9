import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/portability/imports/history/contract';
import * as history from '@/lib/portability/imports/history/service';

export const GET = endpoint(contract.listImports, ({ user }) => history.listImports(user.id));

export const POST = endpoint(contract.createImport, ({ user, body }) => history.createImport(user.id, body));
