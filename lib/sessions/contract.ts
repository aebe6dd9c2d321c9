import { z } from 'zod';
import { id } from '@/lib/contract/fields';
import { operation } from '@/lib/contract/operation';

export const refreshSession = operation({
  method: 'POST',
  path: '/token/refresh',
  summary: 'Renew the session with the refresh cookie.',
  access: 'public',
  response: z.object({ access: z.iso.datetime() }),
  errors: ['unauthenticated'],
});

export const logout = operation({
  method: 'GET',
  path: '/logout',
  summary: 'End the session and clear its cookies.',
  access: 'public',
  changesState: true,
  response: z.object({}),
  errors: [],
});

const session = z.object({
  id: z.string(),
  /** Browser and operating system, such as 'Firefox on Linux'. */
  device: z.string(),
  /** Whether it's the session making the request. */
  current: z.boolean(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
});
export type SessionSummary = z.infer<typeof session>;

export const listSessions = operation({
  method: 'GET',
  path: '/sessions',
  summary: 'List the account’s sessions, this one first.',
  access: 'verified',
  response: z.object({ sessions: z.array(session) }),
  errors: [],
});

export const revokeSession = operation({
  method: 'POST',
  path: '/sessions/:id/revoke',
  summary: 'Sign out a session.',
  access: 'verified',
  params: z.object({ id }),
  response: z.object({}),
  errors: ['not_found'],
});

export const revokeOtherSessions = operation({
  method: 'POST',
  path: '/sessions/revoke_others',
  summary: 'Sign out every session except this one.',
  access: 'verified',
  response: z.object({}),
  errors: [],
});
