import { endpoint } from '@/lib/api/endpoint';
import { passkeySignInOptions } from '@/lib/passkeys/contract';
import { signInOptions } from '@/lib/passkeys/sign-in';

export const POST = endpoint(passkeySignInOptions, async () => ({ options: { ...(await signInOptions()) } }));
