import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/http/client-address';
import { passkeyOptions as contract } from '@/lib/passkeys/contract';
import { passkeyOptions } from '@/lib/passkeys/service';

export const POST = endpoint(contract, async ({ user, body, request }) => ({
  options: { ...(await passkeyOptions(user, body, clientOf(request.headers))) },
}));
