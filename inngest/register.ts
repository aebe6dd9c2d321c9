import { createInngest } from '@/lib/clients/inngest';
import { SERVE_PATH, serveOrigin } from '@/lib/clients/job-service';
import { env } from '@/lib/foundation/env';
import { SIGNATURE_HEADER, sign } from '@/lib/foundation/job-signature';
import { log } from '@/lib/foundation/log';
import { withSafeMessage } from '@/lib/foundation/shared/safe-message';
import { hasRecentRun } from '@/lib/operations/health/jobs';
import { jobHandlers } from './serve';

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 60_000;
/** How often to look whether jobs run, in milliseconds. Longer than a first run takes. */
const WATCH_MS = 180_000;

const silent = { info() {}, warn() {}, error() {}, debug() {} };

/**
 * Registers the functions and the app's address with the job service, as its own signed request to sync would.
 * @throws Error with what the service said, when it hasn't taken them
 */
async function registerOnce(): Promise<void> {
  // The SDK would log every failed try as an error.
  const { PUT } = jobHandlers(createInngest(silent));
  const request = new Request(new URL(SERVE_PATH, serveOrigin()), {
    method: 'PUT',
    headers: { [SIGNATURE_HEADER]: sign(Buffer.from(''), env().INNGEST_SIGNING_KEY) },
  });
  const response: Response = await PUT(request as never, undefined as never);
  const { message } = (await response.json()) as { message?: string };
  // Written by the SDK about the registration, which carries no data of ours.
  if (!response.ok) throw withSafeMessage(new Error(`status ${response.status}: ${message ?? 'no message'}`));
}

/**
 * Keeps trying in the background until the app is registered, so that nobody has to ask for it by an unsigned
 * request. Registers again when no job has run for minutes: a job service that was restarted may have forgotten the
 * app. On serverless hosts, `registerDeployment` does it instead. Workers register themselves.
 */
export function registerJobs({ watchMs = WATCH_MS } = {}): void {
  if (env().JOBS === 'worker') return;
  let wait = FIRST_RETRY_MS;
  const attempt = () => {
    registerOnce().then(
      () => {
        log.info({ event: 'jobs.registered' }, 'the app is registered with the job service');
        wait = FIRST_RETRY_MS;
        setTimeout(watch, watchMs).unref();
      },
      (error: unknown) => {
        log.warn(
          { event: 'jobs.unregistered', err: error, retryInMs: wait },
          'the app could not be registered',
        );
        setTimeout(attempt, wait).unref();
        wait = Math.min(wait * 2, LAST_RETRY_MS);
      },
    );
  };
  const watch = async () => {
    // Without the database nothing can be told, and no job runs.
    if (await hasRecentRun().catch(() => true)) setTimeout(watch, watchMs).unref();
    else attempt();
  };
  attempt();
}
