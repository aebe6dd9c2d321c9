import * as contract from '@/lib/account/passkeys/contract';
import { passkeyOptions } from '@/lib/account/passkeys/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.passkeyOptions, async ({ user, body, client }) => ({
  options: { ...(await passkeyOptions(user, body, client)) },
}));
