import { z } from 'zod';
import { done, id, resourceId } from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';

export const refreshSession = operation({
  method: 'POST',
  path: '/token/refresh',
  credentials: ['refresh'],
  cookiesOn: [200, 401],
  summary: 'Renew the session',
  description:
    'Trades the refresh cookie for new session cookies. A refresh cookie that was already used ends the session. In a 401, `fields.session` is `ended` if the session was ended before its time, such as from another device, by a password reset, or with the account. Otherwise it’s `expired`.',
  access: 'public',
  response: z.object({
    access: z.iso.datetime().meta({ description: 'When the new access cookie expires.' }),
  }),
  errors: ['unauthenticated'],
});

export const logout = operation({
  method: 'GET',
  path: '/logout',
  cookiesOn: [200],
  summary: 'Log out',
  description: 'Ends the session and clears its cookies. Succeeds without a session, too.',
  access: 'public',
  changesState: true,
  response: done,
  errors: [],
});

const session = z
  .object({
    id: resourceId,
    device: z
      .string()
      .meta({ description: 'The browser and operating system.', example: 'Firefox on Linux' }),
    current: z.boolean().meta({ description: 'Whether it’s the session making the request.' }),
    createdAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime(),
  })
  .meta({ id: 'Session' });
export type SessionSummary = z.infer<typeof session>;

export const listSessions = operation({
  method: 'GET',
  path: '/sessions',
  summary: 'List sessions',
  description: 'Returns the account’s sessions, this one first.',
  access: 'verified',
  response: z.object({ sessions: z.array(session) }),
  errors: [],
});

export const revokeSession = operation({
  method: 'POST',
  path: '/sessions/:id/revoke',
  summary: 'Sign out a session',
  description: 'Ends one of the account’s sessions on another device.',
  access: 'verified',
  params: z.object({ id }),
  response: done,
  errors: ['not_found'],
});

export const revokeOtherSessions = operation({
  method: 'POST',
  path: '/sessions/revoke_others',
  summary: 'Sign out everywhere else',
  description: 'Ends every session of the account except this one.',
  access: 'verified',
  response: done,
  errors: [],
});
