import * as contract from '@/lib/account/security/contract';
import { confirmOptions } from '@/lib/account/security/step-up';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.stepUpOptions, async ({ user }) => ({
  options: { ...(await confirmOptions(user)) },
}));
