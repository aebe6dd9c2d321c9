import { type Env, env } from '@/lib/env';
import type { FileLimits } from '@/lib/plans/file-limits';

type Settings = Pick<Env, 'JOBS' | 'JOB_MAX_BYTES' | 'JOB_MAX_SECONDS' | 'JOB_STEP_SECONDS' | 'SERVERLESS'>;

/**
 * What fits a function's 512 MB of temporary space on serverless hosts, in bytes: the upload, the video made from it, which is as
 * large again or grows by at most 1 MB a second, and what another step leaves there.
 */
const FUNCTION_BYTES = 150_000_000;
/** How much of a step's time a video may last there. Encoding takes about as long as the video, and there's more to do. */
const FUNCTION_SHARE = 0.75;

/** How long a step may take: less than the longest request that the host allows, which is 2 hours with Inngest. */
export function stepSeconds({ JOB_STEP_SECONDS, SERVERLESS }: Settings = env()): number {
  return JOB_STEP_SECONDS ?? (SERVERLESS ? 280 : 7000);
}

/** Returns what the jobs here can process: everything, unless they run in functions that live for minutes. */
export function jobLimits(settings: Settings = env()): FileLimits {
  const { JOB_MAX_BYTES, JOB_MAX_SECONDS, JOBS, SERVERLESS } = settings;
  const isFunction = SERVERLESS && JOBS === 'serve';
  return {
    bytes: JOB_MAX_BYTES ?? (isFunction ? FUNCTION_BYTES : Number.POSITIVE_INFINITY),
    seconds: JOB_MAX_SECONDS ?? (isFunction ? Math.floor(stepSeconds(settings) * FUNCTION_SHARE) : null),
  };
}
