import { endpoint } from '@/lib/api/endpoint';
import { stepUpOptions as contract } from '@/lib/security/contract';
import { confirmOptions } from '@/lib/webauthn/confirm';

export const POST = endpoint(contract, async ({ user }) => ({
  options: { ...(await confirmOptions(user)) },
}));
