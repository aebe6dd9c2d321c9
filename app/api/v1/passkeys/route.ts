import * as contract from '@/lib/account/passkeys/contract';
import { presentPasskey } from '@/lib/account/passkeys/present';
import { addPasskey, listPasskeys } from '@/lib/account/passkeys/service';
import { endpoint } from '@/lib/api/endpoint';

export const GET = endpoint(contract.listPasskeys, async ({ user }) => ({
  passkeys: (await listPasskeys(user.id)).map(presentPasskey),
}));

export const POST = endpoint(contract.addPasskey, async ({ user, body }) =>
  presentPasskey(await addPasskey(user, body)),
);
