import type { FileLimits } from '@/lib/billing/plans/shared/file-limits';
import { type Env, env } from '@/lib/foundation/env';
import { type FfmpegSpeed, fittingPhoneSeconds } from '@/lib/video/media/rendition-plan';
import { readMediaReport } from './process-reports';

type Settings = Pick<Env, 'JOBS' | 'JOB_MAX_BYTES' | 'JOB_MAX_SECONDS' | 'JOB_STEP_SECONDS' | 'SERVERLESS'>;

/**
 * What fits a function's 512 MB of temporary space on serverless hosts, in bytes: the upload, the video made from it, which is as
 * large again or grows by at most 1 MB a second, and what another step leaves there.
 */
const FUNCTION_BYTES = 150_000_000;
/**
 * How many times its size a video takes in the folder that jobs work in: the upload, a copy that browsers can play
 * until the video is encoded, and that video.
 */
export const WORKING_COPIES = 3;
/** How much of a step's time encoding may take. The rest is for downloading the upload, and for storing the video. */
const ENCODING_SHARE = 0.85;

/**
 * What's believed until a job has said which ffmpeg it has, within minutes of the first deployment. A refusal that turns
 * out to be wrong costs less than an upload that can't be prepared.
 */
const UNKNOWN: FfmpegSpeed = { kind: 'wasm', speed: 1 };

/** How long a step may take: less than the longest request that the host allows, which is 2 hours with Inngest. */
export function stepSeconds({ JOB_STEP_SECONDS, SERVERLESS }: Settings = env()): number {
  return JOB_STEP_SECONDS ?? (SERVERLESS ? 280 : 7000);
}

/** Returns whether jobs run in functions, which live for minutes. */
export const areFunctions = ({ JOBS, SERVERLESS }: Settings = env()): boolean =>
  SERVERLESS && JOBS === 'serve';

/** Returns how long encoding may take in a step, in seconds, so that there's time for the rest. */
export const encodingSeconds = (settings: Settings = env()): number => stepSeconds(settings) * ENCODING_SHARE;

/** Rounds a length down to what reads well: 30 seconds, 2.5 minutes. */
export function roundLength(seconds: number): number {
  const unit = seconds < 60 ? 5 : 15;
  return Math.max(1, Math.floor(seconds / unit) * unit);
}

/** Returns how large a video may be that the jobs here can process, in bytes. */
export function jobMaxBytes(settings: Settings = env()): number {
  return settings.JOB_MAX_BYTES ?? (areFunctions(settings) ? FUNCTION_BYTES : Number.POSITIVE_INFINITY);
}

/**
 * Returns what the jobs here can process: everything, unless they run in functions. There, a video may last as long as one
 * from a phone that their ffmpeg encodes within a step. Before an upload, nothing else is known of it, unless the browser
 * records it: what's only copied may last as long as its size allows.
 */
export async function jobLimits(settings: Settings = env()): Promise<FileLimits> {
  const bytes = jobMaxBytes(settings);
  if (settings.JOB_MAX_SECONDS || !areFunctions(settings)) {
    return { bytes, seconds: settings.JOB_MAX_SECONDS ?? null };
  }
  const speed = (await readMediaReport()) ?? UNKNOWN;
  const seconds = roundLength(fittingPhoneSeconds(speed, encodingSeconds(settings)));
  return { bytes, seconds, copiedSeconds: null };
}
