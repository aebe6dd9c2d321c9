import type { Inngest } from 'inngest';
import { serve } from 'inngest/next';
import { inngest } from '@/lib/clients/inngest';
import { SERVE_PATH, serveOrigin } from '@/lib/clients/job-service';
import { createFunctions } from './create-functions';

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
