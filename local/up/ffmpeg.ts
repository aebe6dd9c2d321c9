import { MediaError } from '@/lib/video/media/errors';
import { locateFfmpeg } from '@/lib/video/media/locate-ffmpeg';
import { SANDBOX_SETTINGS } from '@/lib/video/media/sandbox';
import type { Environment } from './data-dir';

/** Returns the startup lines about ffmpeg: which one is used and how it's sandboxed. */
export async function describeFfmpeg(env: Environment): Promise<string[]> {
  try {
    const ffmpeg = await locateFfmpeg({
      ffmpegPath: env.FFMPEG_PATH,
      ffprobePath: env.FFPROBE_PATH,
      // The app itself refuses to start with any other value.
      sandbox: SANDBOX_SETTINGS.find((setting) => setting === env.FFMPEG_SANDBOX) ?? 'auto',
    });
    if (!ffmpeg) return ["video: no ffmpeg found, so videos can't be processed"];
    const { describe, sandbox } = ffmpeg;
    return [`video: ${describe}`, `       runs ${sandbox.describe}`];
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    return [`video: can't be processed: ${error.detail}`];
  }
}
