import { z } from 'zod';
import { accountStatus, id, text } from '@/lib/contract/fields';
import { operation } from '@/lib/contract/operation';
import { stepUpFields } from '@/lib/security/contract';
import { assertion, base64url, credential } from '@/lib/webauthn/contract';

/** Names such as 'internal' or 'smart-card'. Browsers may send ones that we don't know (WebAuthn 3, 5.8.4). */
const token = z.string().regex(/^[\w-]+$/);

/** The result of `navigator.credentials.create()`, as JSON. */
const registration = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url.max(4000),
    attestationObject: base64url.max(20_000),
    transports: z.array(token.max(20)).max(10).optional(),
  }),
});
export type Registration = z.output<typeof registration>;

/** Passed to the browser's API as is. */
const options = z.record(z.string(), z.unknown());

const passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  /** Whether a reset or a merge turned it off. It can't sign in until its owner turns it back on. */
  disabled: z.boolean(),
});
export type PasskeySummary = z.infer<typeof passkey>;

const passkeyName = text(50, 'Enter a name.');

export const passkeySignInOptions = operation({
  method: 'POST',
  path: '/login/passkey/options',
  summary: 'Create a WebAuthn challenge for signing in with a passkey. Single use, valid for 5 minutes.',
  access: 'public',
  response: z.object({ options }),
  errors: [],
});

export const signInWithPasskey = operation({
  method: 'POST',
  path: '/login/passkey',
  summary: 'Log in with a passkey instead of a password and code, and set the session cookies.',
  access: 'public',
  body: z.object({ credential: assertion }),
  response: z.object({ accountStatus }),
  errors: ['validation_failed', 'invalid_credentials', 'rate_limited'],
});

export const listPasskeys = operation({
  method: 'GET',
  path: '/passkeys',
  summary: 'List the account’s passkeys, newest first.',
  access: 'verified',
  response: z.object({ passkeys: z.array(passkey) }),
  errors: [],
});

export const passkeyOptions = operation({
  method: 'POST',
  path: '/passkeys/options',
  summary:
    'Create a WebAuthn challenge for adding a passkey. Single use, valid for 5 minutes in this session.',
  access: 'verified',
  body: z.object(stepUpFields),
  response: z.object({ options }),
  errors: ['validation_failed', 'rate_limited'],
});

export const addPasskey = operation({
  method: 'POST',
  path: '/passkeys',
  summary: 'Add a passkey created with a registration challenge.',
  access: 'verified',
  body: z.object({ name: passkeyName, credential: registration }),
  response: passkey,
  status: 201,
  errors: ['validation_failed', 'conflict'],
});

export const renamePasskey = operation({
  method: 'POST',
  path: '/passkeys/:id',
  summary: 'Rename a passkey.',
  access: 'verified',
  params: z.object({ id }),
  body: z.object({ name: passkeyName }),
  response: passkey,
  errors: ['validation_failed', 'not_found'],
});

export const removePasskey = operation({
  method: 'POST',
  path: '/passkeys/:id/remove',
  summary: 'Remove a passkey.',
  access: 'verified',
  params: z.object({ id }),
  body: z.object(stepUpFields),
  response: z.object({}),
  errors: ['validation_failed', 'rate_limited', 'not_found', 'conflict'],
});

export const enablePasskey = operation({
  method: 'POST',
  path: '/passkeys/:id/enable',
  summary: 'Turn a passkey back on after a password reset or account merge turned it off.',
  access: 'verified',
  params: z.object({ id }),
  body: z.object(stepUpFields),
  response: passkey,
  errors: ['validation_failed', 'rate_limited', 'not_found'],
});
