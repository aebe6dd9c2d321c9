import { endpoint } from '@/lib/api/endpoint';
import { addPasskey as addContract, listPasskeys as listContract } from '@/lib/passkeys/contract';
import { presentPasskey } from '@/lib/passkeys/present';
import { addPasskey, listPasskeys } from '@/lib/passkeys/service';

export const GET = endpoint(listContract, async ({ user }) => ({
  passkeys: (await listPasskeys(user.id)).map(presentPasskey),
}));

export const POST = endpoint(addContract, async ({ user, body }) =>
  presentPasskey(await addPasskey(user, body)),
);
