import type { Route } from '@/lib/contract/client';
import type * as contract from './contract';

export const updatePreferences: Route<typeof contract.updatePreferences> = {
  method: 'POST',
  path: '/preferences',
};
