import { eq, sql } from 'drizzle-orm';
import { NonRetriableError } from 'inngest';
import { db } from '@/db/client';
import { exports } from '@/db/schema/exports';
import { stepSeconds } from '@/lib/video/processing/job-limits';
import { waitForService } from '@/lib/video/processing/step';
import { deleteExportObjects, type ExportRun, ExportStopped, isMadeBy } from './run';

/** How a step may use its time. */
export interface StepTime {
  /** By `performance.now()`. A step leaves the rest to the next one then. */
  deadline: number;
  /** Aborted when the host would end the step. */
  signal: AbortSignal;
}

/** The share of a step's time that it uses, and the most in seconds, so that a run shows how far it is. */
const TIME_SHARE = 0.6;
const MAX_SECONDS = 480;
/** How many attempts of a step there are, unless a service is away. */
const MAX_ATTEMPTS = 5;

/**
 * Runs a step of an archive's job. A service that's away is waited for.
 * @returns null if the run has nothing left to do
 */
export async function runExportStep<T>(
  run: ExportRun,
  attempt: number,
  work: (run: ExportRun, time: StepTime) => Promise<T>,
): Promise<T | null> {
  const seconds = stepSeconds();
  const deadline = performance.now() + Math.min(seconds * TIME_SHARE, MAX_SECONDS) * 1000;
  const signal = AbortSignal.timeout(seconds * 1000);
  try {
    await db().update(exports).set({ beatAt: sql`now()` }).where(isMadeBy(run));
    return await work(run, { deadline, signal });
  } catch (error) {
    // What takes too long here would do so forever.
    const later = signal.aborted ? undefined : waitForService(error, attempt);
    if (later) throw later;
    if (error instanceof ExportStopped) {
      // What this attempt wrote may have arrived after its archive's objects were deleted.
      const isThere = (await db().$count(exports, eq(exports.id, run.exportId))) > 0;
      if (!isThere) await deleteExportObjects(run);
      return null;
    }
    if (attempt + 1 < MAX_ATTEMPTS || !(error instanceof Error)) throw error;
    throw Object.assign(new NonRetriableError(error.message, { cause: error }), { name: error.name });
  }
}
