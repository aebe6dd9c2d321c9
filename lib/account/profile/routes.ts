import type { Route } from '@/lib/foundation/contract/shared/client';
import type * as contract from './contract';

export const updateProfile: Route<typeof contract.updateProfile> = {
  method: 'POST',
  path: '/profile_details',
};

export const dismissStep: Route<typeof contract.dismissStep> = {
  method: 'POST',
  path: '/onboarding/dismiss',
};

export const restoreStep: Route<typeof contract.restoreStep> = {
  method: 'POST',
  path: '/onboarding/restore',
};
