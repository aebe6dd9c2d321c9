import { sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { env } from '@/lib/env';
import { checkStorage } from '@/lib/services/storage-check';

type Check = 'ok' | 'failed';

export interface Health {
  status: 'ok' | 'failed';
  checks: { database: Check; storage: Check; jobs: Check };
}

const TIMEOUT_MS = 3000;
const CACHED_MS = 1000;

async function checkWithTimeout(check: Promise<unknown>): Promise<Check> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('no answer in time')), TIMEOUT_MS).unref();
  });
  return Promise.race([check, late]).then(
    () => 'ok' as const,
    () => 'failed' as const,
  );
}

/** The job service answers over HTTP, whatever it says; Inngest has no health endpoint of its own. */
async function checkJobs(): Promise<void> {
  const address = env().INNGEST_BASE_URL ?? 'https://inn.gs';
  await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS), cache: 'no-store' });
}

async function runChecks(): Promise<Health> {
  const [database, storage, jobs] = await Promise.all([
    checkWithTimeout(db().execute(sql`select 1`)),
    checkWithTimeout(checkStorage(TIMEOUT_MS)),
    checkWithTimeout(checkJobs()),
  ]);
  const healthy = [database, storage, jobs].every((check) => check === 'ok');
  return { status: healthy ? 'ok' : 'failed', checks: { database, storage, jobs } };
}

let current: { health: Promise<Health>; expires: number } | undefined;

/**
 * Returns whether the three services without which nothing works answer within 3 s. The answer holds for a second,
 * and callers in that time share it, so that asking often costs the services nothing. The second starts with the
 * answer: a check that takes long isn't joined by another.
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
