import { endpoint } from '@/lib/api/endpoint';
import { undoImport as undoContract } from '@/lib/import-history/contract';
import { undoImport } from '@/lib/import-history/undo';

export const POST = endpoint(undoContract, ({ user, params }) => undoImport(user.id, params.id));
