import * as contract from '@/lib/account/profile/contract';
import { presentProfile, updateProfile } from '@/lib/account/profile/service';
import { endpoint } from '@/lib/api/endpoint';

export const GET = endpoint(contract.getProfile, ({ user }) => presentProfile(user));
export const POST = endpoint(contract.updateProfile, ({ user, body }) => updateProfile(user, body));
