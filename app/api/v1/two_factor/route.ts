import * as contract from '@/lib/account/security/contract';
import { twoFactorState } from '@/lib/account/two-factor/service';
import { endpoint } from '@/lib/api/endpoint';

export const GET = endpoint(contract.twoFactorState, ({ user }) => twoFactorState(user.id));
