import * as contract from '@/lib/account/registration/contract';
import { endpoint } from '@/lib/api/endpoint';

export const GET = endpoint(contract.checkAccountStatus, ({ user }) => ({
  accountStatus: user.verified ? ('VERIFIED' as const) : ('NOT_VERIFIED' as const),
}));
