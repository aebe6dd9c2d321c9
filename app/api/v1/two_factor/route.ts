import * as contract from '@/lib/account/security/contract';
import { twoFactorState } from '@/lib/account/security/two-factor';
import { endpoint } from '@/lib/api/endpoint';

export const GET = endpoint(contract.twoFactorState, ({ user }) => twoFactorState(user.id));
