import { endpoint } from '@/lib/api/endpoint';
import { hideMemory as hideContract, listHidden as listContract } from '@/lib/journal/memories/contract';
import { hideMemory, listHidden } from '@/lib/journal/memories/service';

export const GET = endpoint(listContract, ({ user }) => listHidden(user.id));

export const POST = endpoint(hideContract, ({ user, body }) => hideMemory(user.id, body));
