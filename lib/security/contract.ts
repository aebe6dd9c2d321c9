import { z } from 'zod';
import { done, linkParams, newPassword } from '@/lib/accounts/contract';
import { email } from '@/lib/http/fields';
import { operation } from '@/lib/http/operation';

const currentPassword = z
  .string('Please enter your current password.')
  .max(1024, 'Please use at most 128 characters.');

/** What shows that the owner asks: the password; an account without one has to have signed in lately instead. */
export const ownership = { currentPassword: currentPassword.optional() };

export const changePassword = operation({
  method: 'POST',
  path: '/password',
  summary: 'Set a new password; signs every other session out and renews this one.',
  access: 'verified',
  body: z.object({ currentPassword, newPassword }),
  answer: done,
  errors: ['validation_failed', 'rate_limited', 'conflict'],
});

export const requestEmailChange = operation({
  method: 'POST',
  path: '/email_change',
  summary: 'Ask for another mail address; the link that makes it the account’s own goes to the new one.',
  access: 'verified',
  body: z.object({ email, ...ownership }),
  answer: done,
  errors: ['validation_failed', 'rate_limited'],
});

export const confirmEmailChange = operation({
  method: 'POST',
  path: '/email_change/:uid/:token',
  summary: 'Confirm a new email address with its emailed link, in the session that asked for the change.',
  access: 'verified',
  params: linkParams,
  answer: done,
  errors: ['invalid_or_expired_link'],
});

export const rejectEmailChange = operation({
  method: 'POST',
  path: '/email_change/:uid/:token/reject',
  summary: 'Void the emailed link of an address change that its recipient did not ask for.',
  access: 'public',
  params: linkParams,
  answer: done,
  errors: ['invalid_or_expired_link'],
});

export const twoFactorState = operation({
  method: 'GET',
  path: '/two_factor',
  summary: 'Whether the login asks for a code of an authenticator app.',
  access: 'verified',
  answer: z.object({ enabled: z.boolean(), recoveryCodesLeft: z.int() }),
  errors: [],
});

export const setUpTwoFactor = operation({
  method: 'POST',
  path: '/two_factor/setup',
  summary:
    'Make a new secret for an authenticator app (TOTP, RFC 6238); it counts once a code has confirmed it.',
  access: 'verified',
  body: z.object(ownership),
  answer: z.object({
    /** Base32, for typing in. */
    secret: z.string(),
    /** otpauth://, for apps on the same device. */
    uri: z.string(),
    /** The same as a QR code: the side in modules, and an SVG path of the dark ones. */
    qr: z.object({ size: z.int(), path: z.string() }),
  }),
  errors: ['validation_failed', 'rate_limited', 'conflict'],
});

const recoveryCodesAnswer = z.object({ recoveryCodes: z.array(z.string()) });

export const enableTwoFactor = operation({
  method: 'POST',
  path: '/two_factor/enable',
  summary: 'Confirm the authenticator app with a first code; answers the recovery codes, once.',
  access: 'verified',
  body: z.object({ code: z.string('Please enter the code.').min(1, 'Please enter the code.').max(64) }),
  answer: recoveryCodesAnswer,
  errors: ['validation_failed', 'rate_limited', 'conflict'],
});

export const renewRecoveryCodes = operation({
  method: 'POST',
  path: '/two_factor/recovery_codes',
  summary: 'Replace the recovery codes by new ones.',
  access: 'verified',
  body: z.object(ownership),
  answer: recoveryCodesAnswer,
  errors: ['validation_failed', 'rate_limited', 'conflict'],
});

export const disableTwoFactor = operation({
  method: 'POST',
  path: '/two_factor/disable',
  summary: 'Log in with the password alone again.',
  access: 'verified',
  body: z.object(ownership),
  answer: done,
  errors: ['validation_failed', 'rate_limited'],
});
