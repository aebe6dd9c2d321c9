import type { Route } from '@/lib/foundation/contract/shared/client';
import type * as contract from './contract';

export const updatePreferences: Route<typeof contract.updatePreferences> = {
  method: 'POST',
  path: '/preferences',
};
