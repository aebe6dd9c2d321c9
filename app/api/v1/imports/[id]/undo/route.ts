import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/portability/imports/history/contract';
import { undoImport } from '@/lib/portability/imports/history/undo';

export const POST = endpoint(contract.undoImport, ({ user, params }) => undoImport(user.id, params.id));
