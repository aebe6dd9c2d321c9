import { z } from 'zod';
import { resourceId } from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';

const event = z
  .object({
    id: resourceId,
    kind: z.string().meta({ description: 'What happened, for programs.', example: 'login.accepted' }),
    what: z.string().meta({ description: 'What happened, for people.', example: 'Signed in with a passkey' }),
    at: z.iso.datetime(),
    device: z
      .string()
      .meta({ description: 'The browser and operating system.', example: 'Firefox on Linux' }),
    network: z.string().meta({
      description: 'The network it came from: /24 for IPv4, /48 for IPv6, empty if unknown.',
      example: '203.0.113.0/24',
    }),
  })
  .meta({ id: 'SecurityEvent' });
export type ActivityEvent = z.infer<typeof event>;

export const listActivity = operation({
  method: 'GET',
  path: '/activity',
  summary: 'List security events',
  description: 'Returns up to 100 events from the last 90 days, newest first.',
  access: 'verified',
  response: z.object({ events: z.array(event) }),
  errors: [],
});
