import { describeLimits } from '@/lib/billing/plans/shared/file-limits';
import { env } from '@/lib/foundation/env';
import { MediaError, NoSandboxError } from '@/lib/video/media/errors';
import { areFunctions, jobLimits } from '@/lib/video/processing/job-limits';
import { ffmpegTool } from '@/lib/video/processing/media-tool';
import { lastMediaProblem, readLiveWorkers, readMediaReport } from '@/lib/video/processing/process-reports';

/** How long a failed search for ffmpeg counts, in milliseconds: each one starts processes. */
const CACHED_MS = 30_000;

/** What this process can prepare videos with. */
export interface MediaTool {
  /** Names the ffmpeg; null without one. */
  ffmpeg: string | null;
  /** Why videos can't be prepared, in a sentence; null if they can. */
  problem: string | null;
  /** What ffmpeg's sandbox lacks, in a sentence; null if it's complete. */
  exposure: string | null;
}

let found: { tool: Promise<MediaTool>; expires: number } | undefined;

/** Returns why there's no usable ffmpeg, in a sentence. */
function describeFailure(error: unknown): string {
  if (error instanceof NoSandboxError)
    return `Videos can’t be processed here, because ffmpeg’s sandbox isn’t complete (${error.detail}). Install bubblewrap and allow namespaces, as “ffmpeg” in docs/settings.md explains, or set FFMPEG_SANDBOX=auto to make do with less.`;
  const wrongPath = error instanceof MediaError ? error.detail : '';
  return wrongPath
    ? `Videos can’t be processed here, because ${wrongPath}. Install version 5.1 or newer there, or fix the setting. Without it, the one on PATH is used.`
    : 'Videos can’t be processed here, because there’s no usable ffmpeg. Install ffmpeg and ffprobe 5.1 or newer, or set FFMPEG_PATH and FFPROBE_PATH.';
}

async function locate(): Promise<MediaTool> {
  try {
    const { describe, sandbox } = await ffmpegTool();
    const exposure =
      sandbox.isolation === 'full'
        ? null
        : `ffmpeg, which reads whatever people upload, runs ${sandbox.describe}. “ffmpeg” in docs/settings.md says what a complete sandbox takes.`;
    return { ffmpeg: describe, problem: null, exposure };
  } catch (error) {
    return { ffmpeg: null, problem: describeFailure(error), exposure: null };
  }
}

/** Returns what this process can prepare videos with. */
export function readMediaTool(): Promise<MediaTool> {
  if (!found || performance.now() > found.expires) {
    found = { tool: locate(), expires: performance.now() + CACHED_MS };
  }
  return found.tool;
}

/** Returns why videos can't be prepared where the jobs run: in this process, in a function, or in the workers. */
export async function findMediaProblems(): Promise<string[]> {
  const { JOBS, SERVERLESS } = env();
  if (JOBS === 'serve') {
    // On serverless hosts, only the function that runs jobs may have ffmpeg.
    const problem = SERVERLESS ? await lastMediaProblem() : (await readMediaTool()).problem;
    return problem ? [problem] : [];
  }
  const workers = await readLiveWorkers();
  if (workers.length === 0) {
    return ['No worker has reported in the last 2 minutes. Start one with `npm run worker`.'];
  }
  const connected = workers.filter(({ isConnected }) => isConnected);
  if (connected.length === 0) {
    return ['No worker is connected to Inngest. Check the workers’ logs and their INNGEST_SIGNING_KEY.'];
  }
  return [...new Set(connected.flatMap(({ problem }) => (problem ? [`A worker reports: ${problem}`] : [])))];
}

/** Returns what ffmpeg's sandbox lacks where the jobs run: in this process, or in the workers. */
export async function findExposures(): Promise<string[]> {
  const { JOBS, SERVERLESS } = env();
  if (SERVERLESS) return [];
  const exposures =
    JOBS === 'serve'
      ? [(await readMediaTool()).exposure]
      : (await readLiveWorkers()).map(({ exposure }) => exposure && `A worker reports: ${exposure}`);
  return [...new Set(exposures)].filter((exposure) => exposure != null);
}

/** Returns which ffmpeg prepares videos where the jobs run, and what fits there, in sentences. */
export async function describeMedia(): Promise<string[]> {
  if (areFunctions()) {
    const report = await readMediaReport();
    const tool = report
      ? `Videos are prepared with ${report.ffmpeg}, measured at ${Math.round(report.speed * 100)}% of the usual speed.`
      : 'No function has reported its ffmpeg yet, so this assumes the slow build.';
    return [`${tool} ${describeLimits(await jobLimits())}`];
  }
  if (env().JOBS === 'worker') {
    const names = (await readLiveWorkers()).flatMap(({ ffmpeg }) => ffmpeg ?? []);
    return [...new Set(names)].map((ffmpeg) => `A worker prepares videos with ${ffmpeg}.`);
  }
  const { ffmpeg } = await readMediaTool();
  return ffmpeg ? [`Videos are prepared with ${ffmpeg}.`] : [];
}
