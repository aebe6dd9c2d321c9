import { z } from 'zod';
import { accountStatus, done, email, linkParams, newPassword, text } from '@/lib/contract/fields';
import { operation } from '@/lib/contract/operation';
import { compareDates, fromIso, latestToday } from '@/lib/entries/calendar';

export const GENDERS = ['male', 'female', 'non-binary', 'prefer not to say'] as const;

const statusAnswer = z.object({ accountStatus });
const dateOfBirth = z.string('Please enter your date of birth.').refine((value) => {
  const date = fromIso(value);
  if (!date) return false;
  const today = latestToday();
  return compareDates(date, today) < 0 && date.year >= today.year - 120;
}, 'Enter a date of birth in the past, as YYYY-MM-DD.');

export const register = operation({
  method: 'POST',
  path: '/register',
  summary: 'Open an account; a mail with the verification link follows.',
  access: 'public',
  body: z.object({
    email,
    firstName: text(100, 'Please enter your first name.'),
    lastName: text(100, 'Please enter your last name.'),
    gender: z.enum(GENDERS, 'Please choose one.'),
    dateOfBirth,
    password: newPassword,
  }),
  response: statusAnswer,
  status: 201,
  errors: ['validation_failed', 'rate_limited'],
});

export const login = operation({
  method: 'POST',
  path: '/login',
  summary: 'Log in and receive the session cookies.',
  access: 'public',
  body: z.object({
    email,
    password: z.string('Please enter your password.').min(1, 'Please enter your password.').max(1024),
    /** Of the authenticator app, or a recovery code; only for accounts that have set one up. */
    code: z.string().max(64).optional(),
  }),
  response: statusAnswer,
  errors: ['validation_failed', 'invalid_credentials', 'rate_limited'],
});

export const checkAccountStatus = operation({
  method: 'GET',
  path: '/check_account_status',
  summary: 'Whether the signed-in account has verified its address.',
  access: 'signed-in',
  response: statusAnswer,
  errors: [],
});

export const verifyEmail = operation({
  method: 'POST',
  path: '/verify_email/:uid/:token',
  summary: 'Verify the address with the link of the mail.',
  access: 'public',
  params: linkParams,
  response: statusAnswer,
  errors: ['invalid_or_expired_link', 'rate_limited'],
});

export const resendVerificationEmail = operation({
  method: 'POST',
  path: '/resend_verification_email',
  summary: 'Send a new verification mail to the account of this browser.',
  access: 'public',
  response: done,
  errors: ['unauthenticated', 'rate_limited'],
});

export const requestReset = operation({
  method: 'POST',
  path: '/reset_password',
  summary: 'Ask for a mail with a link to set a new password; the same answer for every address.',
  access: 'public',
  body: z.object({ email }),
  response: done,
  errors: ['validation_failed', 'rate_limited'],
});

export const resetPassword = operation({
  method: 'POST',
  path: '/reset/:uidb64/:token',
  summary: 'Set a new password with the link of the mail; signs every session out.',
  access: 'public',
  params: z.object({ uidb64: z.string().max(64), token: z.string().max(128) }),
  body: z.object({ newPassword }),
  response: done,
  errors: ['validation_failed', 'invalid_or_expired_link', 'rate_limited'],
});
