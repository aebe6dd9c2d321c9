import { env } from '@/lib/foundation/env';
import { log } from '@/lib/foundation/log';
import { CHECK_NAMES, runCheck } from './checks';
import { setStarting } from './service';

/**
 * Logs a line for each problem with the services. Runs beside the start, which a service that's away for a moment must
 * not stop. Never rejects.
 */
export async function logStartupProblems(): Promise<void> {
  if (env().NODE_ENV !== 'production') return;
  setStarting(true);
  const found = await Promise.all(
    CHECK_NAMES.map(async (check) => {
      const { problems, notes = [] } = await runCheck(check, { isStarting: true });
      for (const problem of problems) log.error({ event: 'startup.problem', check }, problem);
      for (const note of notes) log.warn({ event: 'startup.note', check }, note);
      return problems;
    }),
  );
  setStarting(false);
  if (found.flat().length === 0) log.info({ event: 'startup.checked' }, 'all services are working');
}
