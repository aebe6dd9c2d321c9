import * as contract from '@/lib/account/security/contract';
import { undoNotice } from '@/lib/account/security/notices';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.undoNotice, ({ params }) => undoNotice(params.uid, params.token));
