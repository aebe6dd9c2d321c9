import type { Route } from '@/lib/foundation/contract/shared/client';
import type * as contract from './contract';

export const updateReminder: Route<typeof contract.updateReminder> = { method: 'POST', path: '/reminder' };

export const updateWeeklyLetter: Route<typeof contract.updateWeeklyLetter> = {
  method: 'POST',
  path: '/weekly_letter',
};

export const unsubscribe: Route<typeof contract.unsubscribe> = {
  method: 'POST',
  path: '/reminder/unsubscribe/:token',
};
