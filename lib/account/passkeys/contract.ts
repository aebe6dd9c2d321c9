import { z } from 'zod';
import { stepUp } from '@/lib/account/security/contract';
import { assertion, base64url, credential, webAuthnOptions } from '@/lib/account/webauthn/contract';
import { accountStatusAnswer, done, id, resourceId, text } from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';

/** Names such as 'internal' or 'smart-card'. Browsers may send ones that we don't know (WebAuthn 3, 5.8.4). */
const token = z.string().regex(/^[\w-]+$/);

const registration = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url.max(4000).meta({ example: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0' }),
      attestationObject: base64url.max(20_000).meta({ example: 'o2NmbXRkbm9uZQ' }),
      transports: z
        .array(token.max(20).meta({ example: 'internal' }))
        .max(10)
        .optional(),
    }),
  })
  .meta({
    id: 'PasskeyRegistration',
    description: 'The result of `navigator.credentials.create()`, as JSON.',
  });
export type Registration = z.output<typeof registration>;

const passkey = z
  .object({
    id: resourceId,
    name: z.string().meta({ example: 'My laptop' }),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable(),
    disabled: z.boolean().meta({
      description:
        'Whether a password reset or an account merge turned it off. It can’t sign in until its owner turns it back on.',
      example: false,
    }),
  })
  .meta({ id: 'Passkey' });
export type PasskeySummary = z.infer<typeof passkey>;

const passkeyName = text(50, 'Enter a name.').meta({ example: 'My laptop' });

export const passkeySignInOptions = operation({
  method: 'POST',
  path: '/login/passkey/options',
  summary: 'Start a passkey sign-in',
  description:
    'Returns options with a WebAuthn challenge for `navigator.credentials.get()`. The challenge works once and for 5 minutes.',
  access: 'public',
  response: webAuthnOptions,
  errors: [],
});

export const signInWithPasskey = operation({
  method: 'POST',
  path: '/login/passkey',
  cookiesOn: [200],
  summary: 'Log in with a passkey',
  description: 'Sets the session cookies. A passkey takes the place of both the password and the code.',
  access: 'public',
  body: z.object({ credential: assertion }),
  response: accountStatusAnswer,
  errors: ['validation_failed', 'invalid_credentials', 'rate_limited'],
});

export const listPasskeys = operation({
  method: 'GET',
  path: '/passkeys',
  summary: 'List passkeys',
  description: 'Returns the account’s passkeys, newest first.',
  access: 'verified',
  response: z.object({ passkeys: z.array(passkey) }),
  errors: [],
});

export const passkeyOptions = operation({
  method: 'POST',
  path: '/passkeys/options',
  summary: 'Start adding a passkey',
  description:
    'Returns options with a WebAuthn challenge for `navigator.credentials.create()`. The challenge works once, for 5 minutes, in this session.',
  access: 'verified',
  body: stepUp,
  response: webAuthnOptions,
  errors: ['validation_failed', 'rate_limited'],
});

export const addPasskey = operation({
  method: 'POST',
  path: '/passkeys',
  summary: 'Add a passkey',
  description: 'Takes the browser’s response to the challenge, and emails the owner.',
  access: 'verified',
  body: z.object({ name: passkeyName, credential: registration }),
  response: passkey,
  status: 201,
  errors: ['validation_failed', 'conflict'],
});

export const renamePasskey = operation({
  method: 'POST',
  path: '/passkeys/:id',
  summary: 'Rename a passkey',
  description: 'Changes the name shown in the settings.',
  access: 'verified',
  params: z.object({ id }),
  body: z.object({ name: passkeyName }),
  response: passkey,
  errors: ['validation_failed', 'not_found'],
});

export const removePasskey = operation({
  method: 'POST',
  path: '/passkeys/:id/remove',
  summary: 'Remove a passkey',
  description: 'Emails the owner. An account’s only way to sign in can’t be removed.',
  access: 'verified',
  params: z.object({ id }),
  body: stepUp,
  response: done,
  errors: ['validation_failed', 'rate_limited', 'not_found', 'conflict'],
});

export const enablePasskey = operation({
  method: 'POST',
  path: '/passkeys/:id/enable',
  summary: 'Turn a passkey back on',
  description: 'Undoes what a password reset or an account merge turned off.',
  access: 'verified',
  params: z.object({ id }),
  body: stepUp,
  response: passkey,
  errors: ['validation_failed', 'rate_limited', 'not_found'],
});
