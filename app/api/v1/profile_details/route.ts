import { endpoint } from '@/lib/api/endpoint';
import { getProfile, updateProfile as updateContract } from '@/lib/settings/contract';
import { presentProfile, updateProfile } from '@/lib/settings/service';

export const GET = endpoint(getProfile, ({ user }) => presentProfile(user));
export const POST = endpoint(updateContract, ({ user, body }) => updateProfile(user, body));
