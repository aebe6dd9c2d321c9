import * as contract from '@/lib/account/security/contract';
import { confirmOptions } from '@/lib/account/webauthn/confirm';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.stepUpOptions, async ({ user }) => ({
  options: { ...(await confirmOptions(user)) },
}));
