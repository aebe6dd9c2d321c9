import type { Route } from '@/lib/foundation/contract/shared/client';
import type * as contract from './contract';

export const stepUpOptions: Route<typeof contract.stepUpOptions> = {
  method: 'POST',
  path: '/step_up/options',
};

export const changePassword: Route<typeof contract.changePassword> = { method: 'POST', path: '/password' };

export const requestEmailChange: Route<typeof contract.requestEmailChange> = {
  method: 'POST',
  path: '/email_change',
};

export const confirmEmailChange: Route<typeof contract.confirmEmailChange> = {
  method: 'POST',
  path: '/email_change/:uid/:token',
};

export const rejectEmailChange: Route<typeof contract.rejectEmailChange> = {
  method: 'POST',
  path: '/email_change/:uid/:token/reject',
};

export const setUpTwoFactor: Route<typeof contract.setUpTwoFactor> = {
  method: 'POST',
  path: '/two_factor/setup',
};

export const enableTwoFactor: Route<typeof contract.enableTwoFactor> = {
  method: 'POST',
  path: '/two_factor/enable',
};

export const renewRecoveryCodes: Route<typeof contract.renewRecoveryCodes> = {
  method: 'POST',
  path: '/two_factor/recovery_codes',
};

export const disableTwoFactor: Route<typeof contract.disableTwoFactor> = {
  method: 'POST',
  path: '/two_factor/disable',
};

export const undoNotice: Route<typeof contract.undoNotice> = {
  method: 'POST',
  path: '/security_notice/:uid/:token',
};
