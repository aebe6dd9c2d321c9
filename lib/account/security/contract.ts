import { z } from 'zod';
import { assertion, webAuthnOptions } from '@/lib/account/webauthn/contract';
import { codeExample, done, email, linkParams, newPassword } from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';

const currentPassword = z.string('Enter your current password.').max(1024, 'Use at most 128 characters.');

/** Everything the account has, or a passkey instead. */
export const stepUpFields = {
  currentPassword: currentPassword.optional(),
  code: z.string().max(64).optional().meta(codeExample),
  passkey: assertion.optional().meta({ description: 'The response to a challenge from `/step_up/options`.' }),
};
const PROOF = { currentPassword: 'a lamp, a boat and rain', code: '492039' };
export const stepUp = z.object(stepUpFields).meta({
  id: 'StepUp',
  description:
    'Proves that the owner is asking: the password, plus a code if two-factor login is on, or a passkey instead of both. An account without a password must have signed in within the last ten minutes.',
  example: PROOF,
});
export type StepUpProof = z.infer<typeof stepUp>;

export const stepUpOptions = operation({
  method: 'POST',
  path: '/step_up/options',
  summary: 'Start confirming with a passkey',
  description:
    'Returns options with a WebAuthn challenge whose response confirms a change in place of the password. The challenge works once, for 5 minutes, in this session.',
  access: 'verified',
  response: webAuthnOptions,
  errors: [],
});

export const changePassword = operation({
  method: 'POST',
  path: '/password',
  cookiesOn: [200],
  summary: 'Change the password',
  description: 'Signs out every other session, renews this one, and emails the owner.',
  access: 'verified',
  body: z
    .object({ newPassword, ...stepUpFields })
    .meta({ example: { newPassword: 'seven green bicycles', ...PROOF } }),
  response: done,
  errors: ['validation_failed', 'rate_limited', 'conflict'],
});

export const requestEmailChange = operation({
  method: 'POST',
  path: '/email_change',
  summary: 'Request an email change',
  description: 'Sends a confirmation link to the new address. Nothing changes until it’s used.',
  access: 'verified',
  body: z.object({ email, ...stepUpFields }).meta({ example: { email: 'ada@example.org', ...PROOF } }),
  response: done,
  errors: ['validation_failed', 'rate_limited'],
});

export const confirmEmailChange = operation({
  method: 'POST',
  path: '/email_change/:uid/:token',
  summary: 'Confirm an email change',
  description: 'Uses the link sent to the new address, in the session that requested the change.',
  access: 'verified',
  params: linkParams,
  response: done,
  errors: ['invalid_or_expired_link'],
});

export const rejectEmailChange = operation({
  method: 'POST',
  path: '/email_change/:uid/:token/reject',
  summary: 'Reject an email change',
  description: 'For the owner of the new address who didn’t request the change: makes the link useless.',
  access: 'public',
  params: linkParams,
  response: done,
  errors: ['invalid_or_expired_link'],
});

export const twoFactorState = operation({
  method: 'GET',
  path: '/two_factor',
  summary: 'Get two-factor status',
  description:
    'Tells whether logging in requires a code from an authenticator app, and how many recovery codes are left.',
  access: 'verified',
  response: z.object({ enabled: z.boolean(), recoveryCodesLeft: z.int().meta({ example: 10 }) }),
  errors: [],
});

export const setUpTwoFactor = operation({
  method: 'POST',
  path: '/two_factor/setup',
  summary: 'Set up an authenticator app',
  description: 'Creates a secret (TOTP, RFC 6238) that takes effect once it’s confirmed with a code.',
  access: 'verified',
  body: stepUp,
  response: z.object({
    secret: z.string().meta({ description: 'In base32, for typing in.', example: 'JBSWY3DPEHPK3PXP' }),
    uri: z.string().meta({
      format: 'uri',
      description: 'For apps on the same device.',
      example: 'otpauth://totp/Daylight:ada%40example.com?secret=JBSWY3DPEHPK3PXP',
    }),
    qr: z
      .object({
        size: z.int().meta({ example: 33 }),
        path: z.string().meta({ example: 'M4 4h7v1h-7z' }),
      })
      .meta({ description: 'The same as a QR code: its side in modules, and an SVG path of the dark ones.' }),
  }),
  errors: ['validation_failed', 'rate_limited', 'conflict'],
});

const recoveryCodesAnswer = z
  .object({ recoveryCodes: z.array(z.string().meta({ example: 'k3f9-x7qm-2bvn' })) })
  .meta({ id: 'RecoveryCodes' });

export const enableTwoFactor = operation({
  method: 'POST',
  path: '/two_factor/enable',
  summary: 'Turn on two-factor login',
  description:
    'Confirms the authenticator app with its first code. Returns the recovery codes, which aren’t shown again.',
  access: 'verified',
  body: z.object({
    code: z.string('Enter the code.').min(1, 'Enter the code.').max(64).meta({ example: '492039' }),
  }),
  response: recoveryCodesAnswer,
  errors: ['validation_failed', 'rate_limited', 'conflict'],
});

export const renewRecoveryCodes = operation({
  method: 'POST',
  path: '/two_factor/recovery_codes',
  summary: 'Replace the recovery codes',
  description: 'The earlier codes stop working. Returns the new ones, which aren’t shown again.',
  access: 'verified',
  body: stepUp,
  response: recoveryCodesAnswer,
  errors: ['validation_failed', 'rate_limited', 'conflict'],
});

export const disableTwoFactor = operation({
  method: 'POST',
  path: '/two_factor/disable',
  summary: 'Turn off two-factor login',
  description: 'Deletes the authenticator app’s secret and the recovery codes.',
  access: 'verified',
  body: stepUp,
  response: done,
  errors: ['validation_failed', 'rate_limited'],
});

export const undoNotice = operation({
  method: 'POST',
  path: '/security_notice/:uid/:token',
  summary: 'Undo a change from a security email',
  description:
    'Uses the link in a security email to sign out the new device, or to undo the change and sign out every session.',
  access: 'public',
  params: linkParams,
  response: done,
  errors: ['invalid_or_expired_link'],
});
