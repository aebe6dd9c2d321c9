import { endpoint } from '@/lib/api/endpoint';
import { listReceiptKeys } from '@/lib/deletions/contract';
import { receiptKeys } from '@/lib/deletions/receipt';

export const GET = endpoint(listReceiptKeys, () => ({ keys: receiptKeys() }));
