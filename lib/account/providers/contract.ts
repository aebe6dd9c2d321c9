import { z } from 'zod';
import { stepUp } from '@/lib/account/security/contract';
import { accountStatusAnswer, codeExample, done } from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';

export const provider = z.enum(['google', 'github']);
export type ProviderName = z.infer<typeof provider>;

const linkedAccount = z
  .object({
    provider,
    email: z.string().nullable().meta({
      description: 'The connected account’s address at the provider; null if none is connected.',
      example: 'ada@example.com',
    }),
    disabled: z.boolean().meta({
      description:
        'Whether a password reset or an account merge turned it off. It can’t sign in until its owner turns it back on.',
      example: false,
    }),
  })
  .meta({ id: 'Identity' });
export type LinkedAccount = z.infer<typeof linkedAccount>;

export const listIdentities = operation({
  method: 'GET',
  path: '/identities',
  summary: 'List sign-in providers',
  description: 'Returns the providers this site supports, and which ones are connected to the account.',
  access: 'verified',
  response: z.object({ identities: z.array(linkedAccount) }),
  errors: [],
});

export const connectIdentity = operation({
  method: 'POST',
  path: '/identities/:provider/connect',
  cookiesOn: [200],
  summary: 'Allow a provider to be connected',
  description:
    'The next sign-in with this provider in this browser, within 10 minutes, connects it to the account.',
  access: 'verified',
  params: z.object({ provider }),
  body: stepUp,
  response: done,
  errors: ['validation_failed', 'rate_limited', 'not_found'],
});

export const disconnectIdentity = operation({
  method: 'POST',
  path: '/identities/:provider/disconnect',
  summary: 'Disconnect a provider',
  description: 'Emails the owner. An account’s only way to sign in can’t be disconnected.',
  access: 'verified',
  params: z.object({ provider }),
  body: stepUp,
  response: done,
  errors: ['validation_failed', 'rate_limited', 'not_found', 'conflict'],
});

export const enableIdentity = operation({
  method: 'POST',
  path: '/identities/:provider/enable',
  summary: 'Turn a provider back on',
  description: 'Undoes what a password reset or an account merge turned off.',
  access: 'verified',
  params: z.object({ provider }),
  body: stepUp,
  response: done,
  errors: ['validation_failed', 'rate_limited', 'not_found'],
});

export const signInWithCode = operation({
  method: 'POST',
  path: '/login/code',
  credentials: ['pendingSignIn'],
  cookiesOn: [200],
  summary: 'Finish a provider sign-in',
  description:
    'Takes the authenticator app’s code after a sign-in with a provider, and sets the session cookies.',
  access: 'public',
  body: z.object({ code: z.string('Enter the code.').min(1, 'Enter the code.').max(64).meta(codeExample) }),
  response: accountStatusAnswer,
  errors: ['validation_failed', 'unauthenticated', 'rate_limited'],
});
