import * as contract from '@/lib/account/providers/contract';
import { listLinkedAccounts } from '@/lib/account/providers/service';
import { endpoint } from '@/lib/api/endpoint';

export const GET = endpoint(contract.listIdentities, async ({ user }) => ({
  identities: await listLinkedAccounts(user.id),
}));
