import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/memories/contract';
import { unhideMemory } from '@/lib/journal/memories/service';

export const DELETE = endpoint(contract.unhideMemory, ({ user, params }) => unhideMemory(user.id, params.id));
