import * as contract from '@/lib/account/deletion/contract';
import { acknowledgeDeletion } from '@/lib/account/deletion/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.acknowledgeDeletion, ({ user }) => acknowledgeDeletion(user));
