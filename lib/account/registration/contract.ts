import { z } from 'zod';
import {
  accountStatusAnswer,
  codeExample,
  done,
  email,
  linkParams,
  linkToken,
  linkUser,
  newPassword,
  text,
} from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';
import { compareDates, fromIso, latestToday } from '@/lib/journal/entries/shared/calendar';

export const GENDERS = ['male', 'female', 'non-binary', 'prefer not to say'] as const;

const dateOfBirth = z
  .string('Enter your date of birth.')
  .refine((value) => {
    const date = fromIso(value);
    if (!date) return false;
    const today = latestToday();
    const earliest = { ...today, year: today.year - 120 };
    return compareDates(date, today) < 0 && compareDates(date, earliest) >= 0;
  }, 'Enter a date of birth in the past, as YYYY-MM-DD.')
  .meta({ format: 'date', example: '1990-12-10', description: 'In the past, and at most 120 years ago.' });

export const register = operation({
  method: 'POST',
  path: '/register',
  cookiesOn: [201],
  summary: 'Create an account',
  description:
    'Sends a verification email. The response is the same whether or not the address already has an account; the owner of a known address gets an email that says so. An invitation’s emailed link has verified the address already, so that account needs no verification.',
  access: 'public',
  body: z.object({
    email,
    firstName: text(100, 'Enter your first name.').meta({ example: 'Ada' }),
    lastName: text(100, 'Enter your last name.').meta({ example: 'Lovelace' }),
    gender: z.enum(GENDERS, 'Choose one.'),
    dateOfBirth,
    password: newPassword,
    invite: z.string().max(128).optional().meta({
      description: 'The token of an invitation’s link. Sites that sign up by invitation need it.',
      example: 'q0Vn2kQyT5cB1lq0Jd3mHh8rWm4sXe7uYf6pZa9tGbc',
    }),
    next: z.string().max(1000).optional().meta({
      description: 'The page of this site to continue on after verifying. This browser’s cookie keeps it.',
      example: '/upload',
    }),
  }),
  response: accountStatusAnswer,
  status: 201,
  errors: ['validation_failed', 'invalid_or_expired_link', 'conflict', 'rate_limited'],
});

export const login = operation({
  method: 'POST',
  path: '/login',
  cookiesOn: [200],
  summary: 'Log in with a password',
  description:
    'Sets the session cookies, also for an account that hasn’t verified its email address yet. If two-factor login is on, `code` is required.',
  access: 'public',
  body: z.object({
    email,
    password: z
      .string('Enter your password.')
      .min(1, 'Enter your password.')
      .max(1024)
      .meta({ example: 'a lamp, a boat and rain' }),
    code: z
      .string()
      .max(64)
      .optional()
      .meta({
        ...codeExample,
        description:
          'From the authenticator app, or a recovery code. Only for accounts with two-factor login.',
      }),
  }),
  response: accountStatusAnswer,
  errors: ['validation_failed', 'invalid_credentials', 'rate_limited'],
});

export const checkAccountStatus = operation({
  method: 'GET',
  path: '/check_account_status',
  summary: 'Get the account’s status',
  description: 'Tells whether the signed-in account has verified its email address.',
  access: 'signed-in',
  response: accountStatusAnswer,
  errors: [],
});

export const verifyEmail = operation({
  method: 'POST',
  path: '/verify_email/:uid/:token',
  cookiesOn: [200],
  summary: 'Verify an email address',
  description:
    'Uses the link from the verification email, which works once and for 72 hours. In the browser that signed up, it also sets the session cookies.',
  access: 'public',
  params: linkParams,
  response: accountStatusAnswer,
  errors: ['invalid_or_expired_link'],
});

export const resendVerificationEmail = operation({
  method: 'POST',
  path: '/resend_verification_email',
  credentials: ['session', 'registration'],
  cookiesOn: [200],
  summary: 'Resend the verification email',
  description:
    'Sends it to the signed-in account, or to the address that just signed up in this browser. At most one email a minute.',
  access: 'public',
  response: done,
  errors: ['unauthenticated', 'rate_limited'],
});

export const requestReset = operation({
  method: 'POST',
  path: '/reset_password',
  summary: 'Request a password reset',
  description: 'Emails a link that works once and for an hour. The response is the same for every address.',
  access: 'public',
  body: z.object({ email }),
  response: done,
  errors: ['validation_failed', 'rate_limited'],
});

export const resetPassword = operation({
  method: 'POST',
  path: '/reset/:uidb64/:token',
  cookiesOn: [200],
  summary: 'Reset a password',
  description:
    'Sets a new password with the emailed link and signs out every session. Passkeys and connected providers stay off until the owner turns each one back on.',
  access: 'public',
  params: z.object({ uidb64: linkUser, token: linkToken }),
  body: z.object({ newPassword }),
  response: done,
  errors: ['validation_failed', 'invalid_or_expired_link'],
});
