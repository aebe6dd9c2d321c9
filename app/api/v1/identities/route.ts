import { endpoint } from '@/lib/api/endpoint';
import { listIdentities as contract } from '@/lib/account/providers/contract';
import { listIdentities } from '@/lib/account/providers/service';

export const GET = endpoint(contract, async ({ user }) => ({ identities: await listIdentities(user.id) }));
