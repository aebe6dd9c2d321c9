import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/reminders/contract';
import { getWeeklyLetter, updateWeeklyLetter } from '@/lib/reminders/service';

export const GET = endpoint(contract.getWeeklyLetter, ({ user }) => getWeeklyLetter(user.id));
export const POST = endpoint(contract.updateWeeklyLetter, ({ user, body }) =>
  updateWeeklyLetter(user.id, body),
);
