import { serve } from 'inngest/next';
import { inngest } from '@/inngest/client';
import { functions } from '@/inngest/registry';

// A transcode is one step, and one step is one request.
export const maxDuration = 800;

type Handlers = ReturnType<typeof serve>;

let handlers: Handlers | undefined;

/** Made on the first request, so that a build needs no keys. */
function served(): Handlers {
  handlers ??= serve({ client: inngest(), functions: functions(inngest()) });
  return handlers;
}

export const GET: Handlers['GET'] = (...args) => served().GET(...args);
export const POST: Handlers['POST'] = (...args) => served().POST(...args);
export const PUT: Handlers['PUT'] = (...args) => served().PUT(...args);
