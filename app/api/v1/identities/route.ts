import { endpoint } from '@/lib/api/endpoint';
import { listIdentities as contract } from '@/lib/identities/contract';
import { listIdentities } from '@/lib/identities/service';

export const GET = endpoint(contract, async ({ user }) => ({ identities: await listIdentities(user.id) }));
