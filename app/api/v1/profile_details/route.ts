import { getProfile, updateProfile as updateContract } from '@/lib/account/profile/contract';
import { presentProfile, updateProfile } from '@/lib/account/profile/service';
import { endpoint } from '@/lib/api/endpoint';

export const GET = endpoint(getProfile, ({ user }) => presentProfile(user));
export const POST = endpoint(updateContract, ({ user, body }) => updateProfile(user, body));
