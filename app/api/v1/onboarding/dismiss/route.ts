import * as contract from '@/lib/account/profile/contract';
import { dismissStep } from '@/lib/account/profile/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.dismissStep, ({ user, body }) => dismissStep(user.id, body.step));
