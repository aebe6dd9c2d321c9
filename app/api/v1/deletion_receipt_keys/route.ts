import { listReceiptKeys } from '@/lib/account/deletion/contract';
import { receiptKeys } from '@/lib/account/deletion/receipt';
import { endpoint } from '@/lib/api/endpoint';

export const GET = endpoint(listReceiptKeys, () => ({ keys: receiptKeys() }));
