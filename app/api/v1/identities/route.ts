import { listIdentities as contract } from '@/lib/account/providers/contract';
import { listIdentities } from '@/lib/account/providers/service';
import { endpoint } from '@/lib/api/endpoint';

export const GET = endpoint(contract, async ({ user }) => ({ identities: await listIdentities(user.id) }));
