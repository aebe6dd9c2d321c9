import * as contract from '@/lib/account/deletion/contract';
import { receiptKeys } from '@/lib/account/deletion/receipt';
import { endpoint } from '@/lib/api/endpoint';

export const GET = endpoint(contract.listReceiptKeys, () => ({ keys: receiptKeys() }));
