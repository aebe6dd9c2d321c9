import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/memories/contract';
import { hideMemory, listHidden } from '@/lib/journal/memories/service';

export const GET = endpoint(contract.listHidden, ({ user }) => listHidden(user.id));

export const POST = endpoint(contract.hideMemory, ({ user, body }) => hideMemory(user.id, body));
