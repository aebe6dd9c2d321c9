import { passkeySignInOptions } from '@/lib/account/passkeys/contract';
import { signInOptions } from '@/lib/account/passkeys/sign-in';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(passkeySignInOptions, async () => ({ options: { ...(await signInOptions()) } }));
