import * as contract from '@/lib/account/deletion/contract';
import { cancelDeletion } from '@/lib/account/deletion/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.cancelDeletion, ({ user }) => cancelDeletion(user));
