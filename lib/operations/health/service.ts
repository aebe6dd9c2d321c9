import { checkStorage, findStorageProblems } from '@/lib/clients/storage-check';
import { FROZEN_MS } from '@/lib/foundation/awake-timer';
import { log } from '@/lib/foundation/log';
import { hasSettings } from '@/lib/foundation/require-env';
import { perProcess } from '@/lib/foundation/shared/per-process';
import { withSafeMessage } from '@/lib/foundation/shared/safe-message';
import { withTimeout } from '@/lib/foundation/shared/with-timeout';
import { findDatabaseProblems, findMigrationProblems } from './database';
import { isDiskLow } from './disk';
import { findJobsProblems } from './jobs';

type Outcome = 'ok' | 'failed';

const TIMEOUT_MS = 3000;
/** For requests to the job service. Shorter, so that the check can still say what didn't answer. */
const JOB_SERVICE_TIMEOUT_MS = 2500;
const CACHED_MS = 1000;

type CheckName = 'database' | 'storage' | 'jobs';

interface Check {
  /** Throws, or returns sentences, if the service doesn't work. */
  find: () => Promise<string[]>;
  /** Returns in sentences why `find` throws. May take longer than that. */
  explain?: () => Promise<string[]>;
}

const CHECKS: Record<CheckName, Check> = {
  database: { find: findMigrationProblems, explain: findDatabaseProblems },
  storage: { find: () => checkStorage(TIMEOUT_MS).then(() => []), explain: findStorageProblems },
  jobs: { find: () => findJobsProblems({ timeoutMs: JOB_SERVICE_TIMEOUT_MS }) },
};

export interface Health {
  status: Outcome;
  checks: Record<CheckName, Outcome>;
  /** What works, but not for long; not there without any. */
  warnings?: 'disk'[];
}

/** Without settings, there's nothing to ask. */
const UNCONFIGURED: Health = {
  status: 'failed',
  checks: { database: 'failed', storage: 'failed', jobs: 'failed' },
};

const startup = perProcess('startup', () => ({ isRunning: false }));

/** Notes that the check at the start, which waits for services that start with the app, begins or has ended. */
export function setStarting(starting: boolean): void {
  startup.isRunning = starting;
}

/** What a check found: nothing, sentences, or what it threw. */
type Finding = { problems: string[]; error?: unknown };

/** What was last logged of each check, so that an outage is a line and not one a second. */
const logged: Partial<Record<CheckName, string>> = {};

/** Logs why a check fails if that has changed. Never rejects. */
async function logChange(name: CheckName, { problems, error }: Finding): Promise<void> {
  const hasThrown = error !== undefined;
  const state = hasThrown ? 'thrown' : problems.join('\n');
  if (state === (logged[name] ?? '')) return;
  logged[name] = state;
  const fields = { event: 'health.failed', check: name };
  if (!state) log.info({ ...fields, event: 'health.recovered' }, `health: ${name} is working again`);
  for (const problem of problems) log.error(fields, `health: ${problem}`);
  if (!hasThrown) return;
  log.error({ ...fields, err: error }, `health: ${name} failed`);
  const explained = await CHECKS[name].explain?.().catch(() => []);
  for (const problem of explained ?? []) log.error(fields, `health: ${problem}`);
}

const isFine = ({ problems, error }: Finding) => problems.length === 0 && error === undefined;

async function findProblems(name: CheckName): Promise<Finding> {
  const found = CHECKS[name].find().then(
    (problems): Finding => ({ problems }),
    (error: unknown) => ({ problems: [], error: error ?? new Error('unknown') }),
  );
  return withTimeout(found, TIMEOUT_MS, () => ({
    problems: [],
    error: withSafeMessage(new Error(`No answer within ${TIMEOUT_MS / 1000} seconds.`)),
  }));
}

async function runCheck(name: CheckName): Promise<Outcome> {
  // The check at the start logs what doesn't work by then. Until it's done, a service may just not be ready yet.
  const isLogged = !startup.isRunning;
  const started = performance.now();
  let found = await findProblems(name);
  // Nothing takes longer, so the process was frozen meanwhile. That says nothing about a service.
  const wasFrozen = performance.now() - started > TIMEOUT_MS + FROZEN_MS;
  if (wasFrozen && !isFine(found)) found = await findProblems(name);
  if (isLogged) void logChange(name, found);
  return isFine(found) ? 'ok' : 'failed';
}

async function runChecks(): Promise<Health> {
  const [database, storage, jobs, isLow] = await Promise.all([
    runCheck('database'),
    runCheck('storage'),
    runCheck('jobs'),
    isDiskLow({ isLogged: !startup.isRunning }),
  ]);
  const isHealthy = [database, storage, jobs].every((outcome) => outcome === 'ok');
  return {
    status: isHealthy ? 'ok' : 'failed',
    checks: { database, storage, jobs },
    ...(isLow && { warnings: ['disk'] }),
  };
}

let current: { health: Promise<Health>; expires: number } | undefined;

/**
 * Returns whether an upload would be accepted and processed now, of what's known within 3 s. The answer holds for a
 * second, and callers in that time share it, so that asking often costs the services nothing. The second starts with
 * the answer: a check that takes long isn't joined by another. Causes are only logged.
 */
export function checkHealth(): Promise<Health> {
  if (!hasSettings()) return Promise.resolve(UNCONFIGURED);
  if (current && performance.now() < current.expires) return current.health;
  const check = { health: runChecks(), expires: Number.POSITIVE_INFINITY };
  current = check;
  const settled = () => {
    check.expires = performance.now() + CACHED_MS;
  };
  void check.health.then(settled, settled);
  return check.health;
}
