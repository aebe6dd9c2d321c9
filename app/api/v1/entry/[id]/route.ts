import { endpoint } from '@/lib/api/endpoint';
import { getEntry as readContract, updateEntry as updateContract } from '@/lib/journal/entries/contract';
import { getEntry, updateEntry } from '@/lib/journal/entries/service';

export const GET = endpoint(readContract, ({ user, params }) => getEntry(user.id, params.id));

export const POST = endpoint(updateContract, ({ user, params, body }) =>
  updateEntry(user.id, params.id, body),
);
