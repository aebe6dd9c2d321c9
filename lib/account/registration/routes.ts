import type { Route } from '@/lib/foundation/contract/shared/client';
import type * as contract from './contract';

export const login: Route<typeof contract.login> = { method: 'POST', path: '/login' };

export const register: Route<typeof contract.register> = { method: 'POST', path: '/register' };

export const verifyEmail: Route<typeof contract.verifyEmail> = {
  method: 'POST',
  path: '/verify_email/:uid/:token',
};

export const resendVerificationEmail: Route<typeof contract.resendVerificationEmail> = {
  method: 'POST',
  path: '/resend_verification_email',
};

export const requestReset: Route<typeof contract.requestReset> = { method: 'POST', path: '/reset_password' };

export const resetPassword: Route<typeof contract.resetPassword> = {
  method: 'POST',
  path: '/reset/:uidb64/:token',
};
