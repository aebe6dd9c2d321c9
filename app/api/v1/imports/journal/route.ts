import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/portability/imports/archive/contract';
import { importJournal } from '@/lib/portability/imports/archive/service';

export const POST = endpoint(contract.importJournal, ({ user, body }) => importJournal(user.id, body));
