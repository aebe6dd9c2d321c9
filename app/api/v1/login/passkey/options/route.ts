import { endpoint } from '@/lib/api/endpoint';
import { passkeySignInOptions } from '@/lib/account/passkeys/contract';
import { signInOptions } from '@/lib/account/passkeys/sign-in';

export const POST = endpoint(passkeySignInOptions, async () => ({ options: { ...(await signInOptions()) } }));
