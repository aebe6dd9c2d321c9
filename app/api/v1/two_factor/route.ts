import { endpoint } from '@/lib/api/endpoint';
import { twoFactorState as contract } from '@/lib/security/contract';
import { twoFactorState } from '@/lib/security/two-factor';

export const GET = endpoint(contract, ({ user }) => twoFactorState(user.id));
