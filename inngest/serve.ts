import type { Inngest } from 'inngest';
import { serve } from 'inngest/next';
import { env } from '@/lib/env';
import { inngest } from '@/lib/services/inngest';
import { finishVideo, processVideo, purgeEntryObjects, transcribe } from './functions/entry';
import { reconcileBilling, sweep } from './functions/sweep';

export const SERVE_PATH = '/api/inngest';

/** Returns where the job service reaches the app. Never taken from a request, whose Host anybody can choose. */
export function serveOrigin(): string {
  const { INNGEST_SERVE_ORIGIN, APP_URL } = env();
  return INNGEST_SERVE_ORIGIN ?? new URL(APP_URL).origin;
}

/** Returns the handlers of the job service's calls. */
export function jobHandlers(client: Inngest = inngest()): ReturnType<typeof serve> {
  return serve({
    client,
    functions: [
      processVideo(client),
      finishVideo(client),
      transcribe(client),
      purgeEntryObjects(client),
      sweep(client),
      reconcileBilling(client),
    ],
    serveOrigin: serveOrigin(),
    servePath: SERVE_PATH,
    enableUnauthedSync: false,
  });
}
