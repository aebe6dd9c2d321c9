import * as contract from '@/lib/account/passkeys/contract';
import { signInOptions } from '@/lib/account/passkeys/sign-in';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.passkeySignInOptions, async () => ({
  options: { ...(await signInOptions()) },
}));
