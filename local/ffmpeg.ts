import { MediaError } from '@/lib/media/errors';
import { locateFfmpeg } from '@/lib/media/locate';
import { SANDBOX_SETTINGS } from '@/lib/media/sandbox';
import type { Environment } from './state';

/** Returns the lines of the start-up message about ffmpeg: which one is used, and how it's confined. */
export async function describeFfmpeg(env: Environment): Promise<string[]> {
  try {
    const ffmpeg = await locateFfmpeg({
      ffmpegPath: env.FFMPEG_PATH,
      ffprobePath: env.FFPROBE_PATH,
      // The app itself refuses to start with any other value.
      sandbox: SANDBOX_SETTINGS.find((setting) => setting === env.FFMPEG_SANDBOX) ?? 'auto',
    });
    if (!ffmpeg) return ["video: no ffmpeg found, so videos can't be processed"];
    return [`video: ${ffmpeg.describe}`, `       runs ${ffmpeg.sandbox.describe}`];
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    return [`video: can't be processed: ${error.detail}`];
  }
}
