import * as contract from '@/lib/account/sessions/contract';
import { endOneSession } from '@/lib/account/sessions/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.revokeSession, ({ user, params }) => endOneSession(user.id, params.id));
