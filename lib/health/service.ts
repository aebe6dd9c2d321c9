import { sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { log } from '@/lib/log';
import { checkStorage } from '@/lib/services/storage';
import { findJobsProblems } from './jobs';

type Outcome = 'ok' | 'failed';

const TIMEOUT_MS = 3000;
const CACHED_MS = 1000;

/** Why each service doesn't work, in sentences or as what it threw; empty if it works. */
const CHECKS = {
  database: async (): Promise<unknown[]> => {
    await db().execute(sql`select 1`);
    return [];
  },
  storage: async (): Promise<unknown[]> => {
    await checkStorage(TIMEOUT_MS);
    return [];
  },
  jobs: (): Promise<unknown[]> => findJobsProblems({ timeoutMs: TIMEOUT_MS }),
};
type CheckName = keyof typeof CHECKS;

export interface Health {
  status: Outcome;
  checks: Record<CheckName, Outcome>;
}

/** What was last logged of each check, so that an outage is a line and not one a second. */
const lastCauses: Partial<Record<CheckName, string>> = {};

function logCauses(name: CheckName, causes: unknown[]): void {
  const texts = causes.map((cause) => (cause instanceof Error ? cause.name : String(cause)));
  const text = texts.join('\n');
  if (text === (lastCauses[name] ?? '')) return;
  lastCauses[name] = text;
  if (causes.length === 0)
    log.info({ event: 'health.recovered', check: name }, `health: ${name} works again`);
  for (const cause of causes) {
    const fields = { event: 'health.failed', check: name, ...(cause instanceof Error && { err: cause }) };
    log.error(fields, `health: ${cause instanceof Error ? `${name} doesn’t answer` : cause}`);
  }
}

async function runCheck(name: CheckName): Promise<Outcome> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('no answer in time')), TIMEOUT_MS).unref();
  });
  const causes = await Promise.race([CHECKS[name](), late]).catch((error: unknown) => [error]);
  logCauses(name, causes);
  return causes.length === 0 ? 'ok' : 'failed';
}

async function runChecks(): Promise<Health> {
  const [database, storage, jobs] = await Promise.all([
    runCheck('database'),
    runCheck('storage'),
    runCheck('jobs'),
  ]);
  const isHealthy = [database, storage, jobs].every((outcome) => outcome === 'ok');
  return { status: isHealthy ? 'ok' : 'failed', checks: { database, storage, jobs } };
}

let current: { health: Promise<Health>; expires: number } | undefined;

/**
 * Returns whether an upload would be accepted and processed now, of what's known within 3 s. The answer holds for a
 * second, and callers in that time share it, so that asking often costs the services nothing. The second starts with
 * the answer: a check that takes long isn't joined by another. Causes are only logged.
 */
export function checkHealth(): Promise<Health> {
  if (current && performance.now() < current.expires) return current.health;
  const check = { health: runChecks(), expires: Number.POSITIVE_INFINITY };
  current = check;
  const settled = () => {
    check.expires = performance.now() + CACHED_MS;
  };
  void check.health.then(settled, settled);
  return check.health;
}
