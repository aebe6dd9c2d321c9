import { addPasskey as addContract, listPasskeys as listContract } from '@/lib/account/passkeys/contract';
import { presentPasskey } from '@/lib/account/passkeys/present';
import { addPasskey, listPasskeys } from '@/lib/account/passkeys/service';
import { endpoint } from '@/lib/api/endpoint';

export const GET = endpoint(listContract, async ({ user }) => ({
  passkeys: (await listPasskeys(user.id)).map(presentPasskey),
}));

export const POST = endpoint(addContract, async ({ user, body }) =>
  presentPasskey(await addPasskey(user, body)),
);
