import { endpoint } from '@/lib/api/endpoint';
import {
  getWeeklyLetter as getContract,
  updateWeeklyLetter as updateContract,
} from '@/lib/reminders/contract';
import { getWeeklyLetter, updateWeeklyLetter } from '@/lib/reminders/weekly-letter';

export const GET = endpoint(getContract, ({ user }) => getWeeklyLetter(user.id));
export const POST = endpoint(updateContract, ({ user, body }) => updateWeeklyLetter(user.id, body));
