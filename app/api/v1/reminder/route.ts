import { endpoint } from '@/lib/api/endpoint';
import { getReminder as getContract, updateReminder as updateContract } from '@/lib/reminders/contract';
import { getReminder, updateReminder } from '@/lib/reminders/service';

export const GET = endpoint(getContract, ({ user }) => getReminder(user.id));
export const POST = endpoint(updateContract, ({ user, body }) => updateReminder(user.id, body));
