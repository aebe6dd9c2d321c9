import * as contract from '@/lib/account/preferences/contract';
import { getPreferences, updatePreferences } from '@/lib/account/preferences/service';
import { endpoint } from '@/lib/api/endpoint';

export const GET = endpoint(contract.getPreferences, ({ user }) => getPreferences(user.id));
export const POST = endpoint(contract.updatePreferences, ({ user, body }) =>
  updatePreferences(user.id, body),
);
