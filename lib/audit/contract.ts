import { z } from 'zod';
import { operation } from '@/lib/contract/operation';

const event = z.object({
  id: z.string(),
  /** What happened, for programs: 'login.accepted' and so on. */
  kind: z.string(),
  /** The same for people: 'Signed in with a passkey'. */
  what: z.string(),
  at: z.iso.datetime(),
  /** For example 'Firefox on Linux'. */
  device: z.string(),
  /** The network it came from: /24 for IPv4, /48 for IPv6; '' if unknown. */
  network: z.string(),
});
export type ActivityEvent = z.infer<typeof event>;

export const listActivity = operation({
  method: 'GET',
  path: '/activity',
  summary: 'List up to 100 security events from the last 90 days, newest first.',
  access: 'verified',
  response: z.object({ events: z.array(event) }),
  errors: [],
});
