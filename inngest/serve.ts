import type { Inngest } from 'inngest';
import { serve } from 'inngest/next';
import { inngest, serveOrigin } from '@/lib/services/inngest';
import { createFunctions } from './create-functions';

export const SERVE_PATH = '/api/inngest';

/** Returns the handlers of the job service's calls. */
export function jobHandlers(client: Inngest = inngest()): ReturnType<typeof serve> {
  return serve({
    client,
    functions: createFunctions(client),
    serveOrigin: serveOrigin(),
    servePath: SERVE_PATH,
    enableUnauthedSync: false,
  });
}
