import { endpoint } from '@/lib/api/endpoint';
import { listReceiptKeys } from '@/lib/account/deletion/contract';
import { receiptKeys } from '@/lib/account/deletion/receipt';

export const GET = endpoint(listReceiptKeys, () => ({ keys: receiptKeys() }));
