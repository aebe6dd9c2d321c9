import { log } from '@/lib/foundation/log';
import { perProcess } from '@/lib/foundation/shared/per-process';
import { resumeGoneJobs } from './watchdog';

const POLL_MS = 20_000;

// Next may call what starts it more than once.
const polling = perProcess('watchdog', (): { timer?: NodeJS.Timeout } => ({}));

/**
 * Looks for jobs whose runs are gone, for as long as the server runs. It doesn't use the job service, which may be
 * what has lost them. On serverless hosts, where nothing runs between requests, the sweep looks instead.
 */
export function startWatchdog(): void {
  clearInterval(polling.timer);
  let looking = false;
  let failing = false;
  const look = async () => {
    if (looking) return;
    looking = true;
    try {
      await resumeGoneJobs();
      failing = false;
    } catch (error) {
      // A database that is away for long is one line, not one every 20 seconds.
      if (!failing) log.warn({ err: error }, 'jobs: the search for runs that are gone failed');
      failing = true;
    } finally {
      looking = false;
    }
  };
  polling.timer = setInterval(() => void look(), POLL_MS).unref();
}
