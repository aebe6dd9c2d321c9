import { endpoint } from '@/lib/api/endpoint';
import {
  getPreferences as getContract,
  updatePreferences as updateContract,
} from '@/lib/account/preferences/contract';
import { getPreferences, updatePreferences } from '@/lib/account/preferences/service';

export const GET = endpoint(getContract, ({ user }) => getPreferences(user.id));
export const POST = endpoint(updateContract, ({ user, body }) => updatePreferences(user.id, body));
