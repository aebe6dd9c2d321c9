import {
  getPreferences as getContract,
  updatePreferences as updateContract,
} from '@/lib/account/preferences/contract';
import { getPreferences, updatePreferences } from '@/lib/account/preferences/service';
import { endpoint } from '@/lib/api/endpoint';

export const GET = endpoint(getContract, ({ user }) => getPreferences(user.id));
export const POST = endpoint(updateContract, ({ user, body }) => updatePreferences(user.id, body));
