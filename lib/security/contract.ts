import { z } from 'zod';
import { done, email, linkParams, newPassword } from '@/lib/contract/fields';
import { operation } from '@/lib/contract/operation';
import { assertion } from '@/lib/webauthn/contract';

const currentPassword = z.string('Enter your current password.').max(1024, 'Use at most 128 characters.');

/**
 * Proof that the owner is asking: everything the account has (its password, plus a code if an authenticator app is
 * on), or a passkey instead of both. An account without a password must have signed in within the last ten minutes.
 */
export const stepUpFields = {
  currentPassword: currentPassword.optional(),
  /** From the authenticator app, or a recovery code. */
  code: z.string().max(64).optional(),
  /** The response to a challenge from `/step_up/options`. */
  passkey: assertion.optional(),
};
export type StepUpProof = { [Key in keyof typeof stepUpFields]?: z.output<(typeof stepUpFields)[Key]> };

export const stepUpOptions = operation({
  method: 'POST',
  path: '/step_up/options',
  summary:
    'Create a WebAuthn challenge for confirming a change with a passkey. Single use, valid for 5 minutes in this session.',
  access: 'verified',
  response: z.object({ options: z.record(z.string(), z.unknown()) }),
  errors: [],
});

export const changePassword = operation({
  method: 'POST',
  path: '/password',
  summary: 'Change the password, sign out every other session, and renew this one.',
  access: 'verified',
  body: z.object({ newPassword, ...stepUpFields }),
  response: done,
  errors: ['validation_failed', 'rate_limited', 'conflict'],
});

export const requestEmailChange = operation({
  method: 'POST',
  path: '/email_change',
  summary: 'Request an email address change by sending a confirmation link to the new address.',
  access: 'verified',
  body: z.object({ email, ...stepUpFields }),
  response: done,
  errors: ['validation_failed', 'rate_limited'],
});

export const confirmEmailChange = operation({
  method: 'POST',
  path: '/email_change/:uid/:token',
  summary: 'Confirm a new email address with the emailed link, in the session that requested the change.',
  access: 'verified',
  params: linkParams,
  response: done,
  errors: ['invalid_or_expired_link'],
});

export const rejectEmailChange = operation({
  method: 'POST',
  path: '/email_change/:uid/:token/reject',
  summary: 'Cancel an email address change that the recipient of the link didn’t request.',
  access: 'public',
  params: linkParams,
  response: done,
  errors: ['invalid_or_expired_link'],
});

export const twoFactorState = operation({
  method: 'GET',
  path: '/two_factor',
  summary: 'Get whether login requires an authenticator app code.',
  access: 'verified',
  response: z.object({ enabled: z.boolean(), recoveryCodesLeft: z.int() }),
  errors: [],
});

export const setUpTwoFactor = operation({
  method: 'POST',
  path: '/two_factor/setup',
  summary:
    'Create a secret for an authenticator app (TOTP, RFC 6238). It takes effect once confirmed with a code.',
  access: 'verified',
  body: z.object(stepUpFields),
  response: z.object({
    /** In base32, for typing in. */
    secret: z.string(),
    /** An otpauth:// URL, for apps on the same device. */
    uri: z.string(),
    /** The same as a QR code: its side in modules, and an SVG path of the dark ones. */
    qr: z.object({ size: z.int(), path: z.string() }),
  }),
  errors: ['validation_failed', 'rate_limited', 'conflict'],
});

const recoveryCodesAnswer = z.object({ recoveryCodes: z.array(z.string()) });

export const enableTwoFactor = operation({
  method: 'POST',
  path: '/two_factor/enable',
  summary: 'Confirm the authenticator app with its first code. Returns the recovery codes, once.',
  access: 'verified',
  body: z.object({ code: z.string('Enter the code.').min(1, 'Enter the code.').max(64) }),
  response: recoveryCodesAnswer,
  errors: ['validation_failed', 'rate_limited', 'conflict'],
});

export const renewRecoveryCodes = operation({
  method: 'POST',
  path: '/two_factor/recovery_codes',
  summary: 'Replace the recovery codes with new ones.',
  access: 'verified',
  body: z.object(stepUpFields),
  response: recoveryCodesAnswer,
  errors: ['validation_failed', 'rate_limited', 'conflict'],
});

export const disableTwoFactor = operation({
  method: 'POST',
  path: '/two_factor/disable',
  summary: 'Turn off two-factor login.',
  access: 'verified',
  body: z.object(stepUpFields),
  response: done,
  errors: ['validation_failed', 'rate_limited'],
});

export const noticeKind = z.enum([
  'device',
  'password-changed',
  'password-reset',
  'email-changed',
  'two-factor-enabled',
  'two-factor-disabled',
  'recovery-codes-renewed',
  'passkey-added',
  'passkey-removed',
  'passkey-enabled',
  'google-connected',
  'google-disconnected',
  'google-enabled',
  'google-merged',
  'github-connected',
  'github-disconnected',
  'github-enabled',
  'github-merged',
]);
export type NoticeKind = z.infer<typeof noticeKind>;

export const undoNotice = operation({
  method: 'POST',
  path: '/security_notice/:uid/:token',
  summary:
    'Use a security email’s link to sign out the new device, or to undo the change and sign out every session.',
  access: 'public',
  params: linkParams,
  response: done,
  errors: ['invalid_or_expired_link'],
});
