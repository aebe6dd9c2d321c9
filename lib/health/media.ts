import { env } from '@/lib/env';
import { MediaError } from '@/lib/media/errors';
import { ffmpegTool } from '@/lib/processing/media-tool';
import { lastMediaProblem, readLiveWorkers } from '@/lib/processing/process-reports';

/** How long a failed search for ffmpeg counts, in milliseconds: each one starts processes. */
const CACHED_MS = 30_000;

/** What this process can prepare videos with. */
export interface MediaTool {
  /** Names the ffmpeg; null without one. */
  ffmpeg: string | null;
  /** Why videos can't be prepared, in a sentence; null if they can. */
  problem: string | null;
}

let found: { tool: Promise<MediaTool>; expires: number } | undefined;

async function locate(): Promise<MediaTool> {
  try {
    return { ffmpeg: (await ffmpegTool()).describe, problem: null };
  } catch (error) {
    const detail = error instanceof MediaError && error.detail ? ` (${error.detail})` : '';
    const advice =
      'Install ffmpeg and ffprobe 5.1 or newer, or set FFMPEG_PATH and FFPROBE_PATH. If they’re installed, check FFMPEG_SANDBOX.';
    return {
      ffmpeg: null,
      problem: `Videos can’t be processed here, because there’s no usable ffmpeg${detail}. ${advice}`,
    };
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
  const { JOBS, VERCEL } = env();
  if (JOBS === 'serve') {
    // On Vercel, only the function that runs jobs has ffmpeg.
    const problem = VERCEL ? await lastMediaProblem() : (await readMediaTool()).problem;
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
