import { z } from 'zod';
import { accountStatus } from '@/lib/contract/fields';
import { operation } from '@/lib/contract/operation';
import { stepUpFields } from '@/lib/security/contract';

export const provider = z.enum(['google', 'github']);
export type ProviderName = z.infer<typeof provider>;

const identity = z.object({
  provider,
  /** The connected account's address at the provider; null if none is connected. */
  email: z.string().nullable(),
  /**
   * Whether a reset or a merge turned it off. It's still connected, but can't sign in until its owner turns it back
   * on.
   */
  disabled: z.boolean(),
});
export type IdentitySummary = z.infer<typeof identity>;

export const listIdentities = operation({
  method: 'GET',
  path: '/identities',
  summary: 'List the sign-in providers this site supports, and which ones are connected to the account.',
  access: 'verified',
  response: z.object({ identities: z.array(identity) }),
  errors: [],
});

export const connectIdentity = operation({
  method: 'POST',
  path: '/identities/:provider/connect',
  summary: 'Allow the next sign-in with this provider, within 10 minutes, to connect it to this account.',
  access: 'verified',
  params: z.object({ provider }),
  body: z.object(stepUpFields),
  response: z.object({}),
  errors: ['validation_failed', 'rate_limited', 'not_found'],
});

export const disconnectIdentity = operation({
  method: 'POST',
  path: '/identities/:provider/disconnect',
  summary: 'Disconnect a sign-in provider from this account.',
  access: 'verified',
  params: z.object({ provider }),
  body: z.object(stepUpFields),
  response: z.object({}),
  errors: ['validation_failed', 'rate_limited', 'not_found', 'conflict'],
});

export const enableIdentity = operation({
  method: 'POST',
  path: '/identities/:provider/enable',
  summary: 'Turn a provider back on after a password reset or account merge turned it off.',
  access: 'verified',
  params: z.object({ provider }),
  body: z.object(stepUpFields),
  response: z.object({}),
  errors: ['validation_failed', 'rate_limited', 'not_found'],
});

export const signInWithCode = operation({
  method: 'POST',
  path: '/login/code',
  summary: 'Complete a provider sign-in with an authenticator app code.',
  access: 'public',
  body: z.object({ code: z.string('Enter the code.').min(1, 'Enter the code.').max(64) }),
  response: z.object({ accountStatus }),
  errors: ['validation_failed', 'unauthenticated', 'rate_limited'],
});
