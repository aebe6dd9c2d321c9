import { endpoint } from '@/lib/api/endpoint';
import { undoImport as undoContract } from '@/lib/portability/imports/history/contract';
import { undoImport } from '@/lib/portability/imports/history/undo';

export const POST = endpoint(undoContract, ({ user, params }) => undoImport(user.id, params.id));
