import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/reminders/contract';
import { getReminder, updateReminder } from '@/lib/reminders/service';

export const GET = endpoint(contract.getReminder, ({ user }) => getReminder(user.id));
export const POST = endpoint(contract.updateReminder, ({ user, body }) => updateReminder(user.id, body));
