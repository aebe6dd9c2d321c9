import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/entries/contract';
import { getEntry, updateEntry } from '@/lib/journal/entries/service';

export const GET = endpoint(contract.getEntry, ({ user, params }) => getEntry(user.id, params.id));

export const POST = endpoint(contract.updateEntry, ({ user, params, body }) =>
  updateEntry(user.id, params.id, body),
);
