import * as contract from '@/lib/account/passkeys/contract';
import { addPasskey, listPasskeys } from '@/lib/account/passkeys/service';
import { endpoint } from '@/lib/api/endpoint';

export const GET = endpoint(contract.listPasskeys, async ({ user }) => ({
  passkeys: await listPasskeys(user.id),
}));

export const POST = endpoint(contract.addPasskey, ({ user, body }) => addPasskey(user, body));
