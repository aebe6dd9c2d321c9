import * as contract from '@/lib/account/passkeys/contract';
import { passkeyOptions } from '@/lib/account/passkeys/service';
import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/foundation/http/client-address';

export const POST = endpoint(contract.passkeyOptions, async ({ user, body, request }) => ({
  options: { ...(await passkeyOptions(user, body, clientOf(request.headers))) },
}));
