import { and, eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { processReports } from '@/db/schema/jobs';
import { SERVE_PATH, serveOrigin } from '@/lib/clients/job-service';
import { env } from '@/lib/foundation/env';
import { isForSite } from '@/lib/foundation/http/request-host';
import { SIGNATURE_HEADER, sign } from '@/lib/foundation/job-signature';
import { keepAwake } from '@/lib/foundation/keep-awake';
import { log } from '@/lib/foundation/log';
import { hasSettings } from '@/lib/foundation/require-env';
import { perProcess } from '@/lib/foundation/shared/per-process';
import { withSafeMessage } from '@/lib/foundation/shared/safe-message';

/** How long to wait between two tries, of all processes together, in seconds. */
const RETRY_SECONDS = 60;
/** How long a try may take, in milliseconds: the function that runs jobs starts, and asks the job service. */
const TIMEOUT_MS = 20_000;

const ID = 'registration';

/** When to look again, by `performance.now()`. */
const next = perProcess('registration', () => ({ at: 0 }));

/** Names the build, of which every deployment has one. */
// next.config.ts sets it, and Next replaces it with its value in the build.
const build = (): string => process.env.BUILD_STAMP ?? '';

/** What the row says if it's about this build, and if it says that it's registered. */
const isOurs = () => sql`${processReports.details} ->> 'build' = ${build()}`;
const isDone = () => sql`${processReports.details} ->> 'isRegistered' = 'true'`;

/** Returns whether to register now: no process has registered this build, or tried to register any in the last minute. */
async function claim(): Promise<boolean> {
  const values = {
    role: 'registration' as const,
    details: { build: build(), isRegistered: false },
    reportedAt: sql`now()`,
  };
  const claimed = await db()
    .insert(processReports)
    .values({ id: ID, ...values })
    .onConflictDoUpdate({
      target: processReports.id,
      set: values,
      setWhere: sql`${processReports.reportedAt} < now() - ${RETRY_SECONDS} * interval '1 second'
        and not (${isOurs()} and ${isDone()})`,
    })
    .returning({ id: processReports.id });
  return claimed.length > 0;
}

async function isRegistered(): Promise<boolean> {
  const rows = await db()
    .select({ id: processReports.id })
    .from(processReports)
    .where(and(eq(processReports.id, ID), isOurs(), isDone()));
  return rows.length > 0;
}

/** Notes whether this build is registered, unless another one has been claimed since. */
async function noteRegistered(isRegistered: boolean): Promise<void> {
  await db()
    .update(processReports)
    .set({ details: { build: build(), isRegistered } })
    .where(and(eq(processReports.id, ID), isOurs()));
}

/** Asks the function that runs jobs to register them, as the job service itself would: no other one carries them. */
async function askToRegister(): Promise<void> {
  const response = await fetch(new URL(SERVE_PATH, serveOrigin()), {
    method: 'PUT',
    headers: { [SIGNATURE_HEADER]: sign(Buffer.from(''), env().INNGEST_SIGNING_KEY) },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    cache: 'no-store',
    redirect: 'manual',
  });
  await response.body?.cancel();
  if (!response.ok)
    throw withSafeMessage(new Error(`${serveOrigin()} responded with status ${response.status}`));
}

/** Registers the deployment unless another process has or is about to. Never rejects. */
async function register(): Promise<void> {
  try {
    if (await claim()) {
      await askToRegister();
      await noteRegistered(true);
      log.info({ event: 'jobs.registered' }, 'the app is registered with the job service');
    } else if (!(await isRegistered())) return;
    next.at = Number.POSITIVE_INFINITY;
  } catch (error) {
    log.warn({ event: 'jobs.unregistered', err: error }, 'the app could not be registered');
  }
}

/**
 * Registers each deployment's jobs with the job service, once, on hosts where no server starts that could. Call it with each
 * request: it delays none, and the host waits for it before it freezes the process. A preview of another version, at a host
 * of its own, doesn't take over the site's jobs.
 */
export function registerDeployment(headers: Headers): void {
  if (!hasSettings()) return;
  const { JOBS, SERVERLESS } = env();
  if (!SERVERLESS || JOBS === 'worker') return;
  const now = performance.now();
  if (now < next.at || !isForSite(headers)) return;
  next.at = now + RETRY_SECONDS * 1000;
  keepAwake(register());
}

/** Makes this process look again in a minute, because the job service doesn't know the app. */
export async function forgetRegistration(): Promise<void> {
  if (!env().SERVERLESS) return;
  await noteRegistered(false);
  const soon = performance.now() + RETRY_SECONDS * 1000;
  next.at = Math.min(next.at, soon);
}
