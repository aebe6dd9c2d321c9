import { endpoint } from '@/lib/api/endpoint';
import { confirmOptions } from '@/lib/passkeys/confirm';
import { stepUpOptions as contract } from '@/lib/security/contract';

export const POST = endpoint(contract, async ({ user }) => ({
  options: { ...(await confirmOptions(user)) },
}));
