import { z } from 'zod';
import { accountStatus, done, email, linkParams, newPassword, text } from '@/lib/contract/fields';
import { operation } from '@/lib/contract/operation';
import { compareDates, fromIso, latestToday } from '@/lib/entries/calendar';

export const GENDERS = ['male', 'female', 'non-binary', 'prefer not to say'] as const;

const statusAnswer = z.object({ accountStatus });
const dateOfBirth = z.string('Enter your date of birth.').refine((value) => {
  const date = fromIso(value);
  if (!date) return false;
  const today = latestToday();
  return compareDates(date, today) < 0 && date.year >= today.year - 120;
}, 'Enter a date of birth in the past, as YYYY-MM-DD.');

export const register = operation({
  method: 'POST',
  path: '/register',
  summary:
    'Create an account and send a verification email. An invitation’s emailed link has verified the address already.',
  access: 'public',
  body: z.object({
    email,
    firstName: text(100, 'Enter your first name.'),
    lastName: text(100, 'Enter your last name.'),
    gender: z.enum(GENDERS, 'Choose one.'),
    dateOfBirth,
    password: newPassword,
    /** The token of an invitation’s link, if there is one. Sites that sign up by invitation need it. */
    invite: z.string().max(128).optional(),
  }),
  response: statusAnswer,
  status: 201,
  errors: ['validation_failed', 'invalid_or_expired_link', 'conflict', 'rate_limited'],
});

export const login = operation({
  method: 'POST',
  path: '/login',
  summary: 'Log in with an email and password, and set the session cookies.',
  access: 'public',
  body: z.object({
    email,
    password: z.string('Enter your password.').min(1, 'Enter your password.').max(1024),
    /** A code from the authenticator app, or a recovery code; only for accounts that have set one up. */
    code: z.string().max(64).optional(),
  }),
  response: statusAnswer,
  errors: ['validation_failed', 'invalid_credentials', 'rate_limited'],
});

export const checkAccountStatus = operation({
  method: 'GET',
  path: '/check_account_status',
  summary: 'Get whether the signed-in account has verified its email address.',
  access: 'signed-in',
  response: statusAnswer,
  errors: [],
});

export const verifyEmail = operation({
  method: 'POST',
  path: '/verify_email/:uid/:token',
  summary: 'Verify an email address with the emailed link.',
  access: 'public',
  params: linkParams,
  response: statusAnswer,
  errors: ['invalid_or_expired_link', 'rate_limited'],
});

export const resendVerificationEmail = operation({
  method: 'POST',
  path: '/resend_verification_email',
  summary:
    'Resend the verification email to the account that’s signed in or just registered in this browser.',
  access: 'public',
  response: done,
  errors: ['unauthenticated', 'rate_limited'],
});

export const requestReset = operation({
  method: 'POST',
  path: '/reset_password',
  summary: 'Send a password reset email. The response is the same for every address.',
  access: 'public',
  body: z.object({ email }),
  response: done,
  errors: ['validation_failed', 'rate_limited'],
});

export const resetPassword = operation({
  method: 'POST',
  path: '/reset/:uidb64/:token',
  summary: 'Set a new password with the emailed link, and sign out every session.',
  access: 'public',
  params: z.object({ uidb64: z.string().max(64), token: z.string().max(128) }),
  body: z.object({ newPassword }),
  response: done,
  errors: ['validation_failed', 'invalid_or_expired_link', 'rate_limited'],
});
