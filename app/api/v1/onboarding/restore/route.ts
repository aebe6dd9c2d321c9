import * as contract from '@/lib/account/profile/contract';
import { restoreStep } from '@/lib/account/profile/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.restoreStep, ({ user, body }) => restoreStep(user.id, body.step));
