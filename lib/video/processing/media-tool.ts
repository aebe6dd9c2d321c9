import { env } from '@/lib/foundation/env';
import { log } from '@/lib/foundation/log';
import { MediaError } from '@/lib/video/media/errors';
import { type FfmpegTool, isUsable, locateFfmpeg } from '@/lib/video/media/locate-ffmpeg';
import { defaultSandbox } from '@/lib/video/media/sandbox';
import { readLiveWorkers } from './process-reports';

let tool: Promise<FfmpegTool> | undefined;
/** The last that was found. */
let found: FfmpegTool | undefined;

/** Returns which setting names a program that can't be used; empty if none does. */
async function describeWrongPath(): Promise<string> {
  const { FFMPEG_PATH, FFPROBE_PATH } = env();
  for (const [name, path] of Object.entries({ FFMPEG_PATH, FFPROBE_PATH }))
    if (path && !(await isUsable(path))) return `${name} is ${path}, where no usable program is`;
  return '';
}

async function findFfmpeg(): Promise<FfmpegTool> {
  const { FFMPEG_PATH, FFPROBE_PATH, FFMPEG_SANDBOX, NODE_ENV, SERVERLESS } = env();
  const host = { isProduction: NODE_ENV === 'production', isServerless: SERVERLESS };
  const located = await locateFfmpeg({
    sandbox: FFMPEG_SANDBOX ?? defaultSandbox(host),
    ...(FFMPEG_PATH ? { ffmpegPath: FFMPEG_PATH } : {}),
    ...(FFPROBE_PATH ? { ffprobePath: FFPROBE_PATH } : {}),
  });
  if (!located) throw new MediaError('no_ffmpeg', await describeWrongPath());
  found = located;
  return located;
}

/**
 * Returns the ffmpeg of this machine, looking for it until it's found.
 * @throws MediaError `no_ffmpeg`, also where a required sandbox isn't possible
 */
export function ffmpegTool(): Promise<FfmpegTool> {
  tool ??= findFfmpeg().catch((error: unknown) => {
    tool = undefined;
    throw error;
  });
  return tool;
}

/** Returns whether the ffmpeg that was found last is the slow one. */
export const isFfmpegSlow = () => found?.kind === 'wasm';

/** Logs once, at startup, which ffmpeg prepares videos and how it's confined. Never rejects. */
export async function logFfmpeg(): Promise<void> {
  try {
    const { describe, sandbox } = await ffmpegTool();
    const level = sandbox.isolation === 'full' ? 'info' : 'warn';
    log[level]({ ffmpeg: describe, isolation: sandbox.isolation }, `media: ffmpeg runs ${sandbox.describe}`);
  } catch (error) {
    const detail = error instanceof MediaError ? error.detail : '';
    log.error({ error, detail }, 'media: videos can’t be processed');
  }
}

let isLogged = false;

/**
 * Looks for ffmpeg again after a step found none, or couldn't run it. Logs a line for the operator when it's gone, and
 * no other until it's back.
 */
export async function isFfmpegGone(): Promise<boolean> {
  tool = undefined;
  try {
    await ffmpegTool();
    isLogged = false;
    return false;
  } catch (error) {
    const { detail = '' } = error instanceof MediaError ? error : {};
    if (!isLogged) {
      log.error(
        { event: 'jobs.no_ffmpeg', detail },
        'jobs: there’s no usable ffmpeg here, so videos wait. Install ffmpeg 5.1 or newer, or fix FFMPEG_PATH',
      );
    }
    isLogged = true;
    return true;
  }
}

/** Returns whether a job that's started now would find ffmpeg: in this process, or in one of the workers. */
export async function canRunJobs(): Promise<boolean> {
  if (env().JOBS === 'worker') return (await readLiveWorkers()).some(({ ffmpeg }) => ffmpeg !== null);
  return ffmpegTool().then(
    () => true,
    () => false,
  );
}
