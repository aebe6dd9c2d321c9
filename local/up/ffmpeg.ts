import { MediaError } from '@/lib/media/errors';
import { locateFfmpeg } from '@/lib/media/locate-ffmpeg';
import { SANDBOX_SETTINGS, type Sandbox } from '@/lib/media/sandbox';
import type { Environment } from './data-dir';

/** Returns the startup lines about ffmpeg (which one is used and how it's sandboxed), and its sandbox. */
export async function findFfmpeg(env: Environment): Promise<{ lines: string[]; sandbox: Sandbox | null }> {
  try {
    const ffmpeg = await locateFfmpeg({
      ffmpegPath: env.FFMPEG_PATH,
      ffprobePath: env.FFPROBE_PATH,
      // The app itself refuses to start with any other value.
      sandbox: SANDBOX_SETTINGS.find((setting) => setting === env.FFMPEG_SANDBOX) ?? 'auto',
    });
    if (!ffmpeg) return { lines: ["video: no ffmpeg found, so videos can't be processed"], sandbox: null };
    const { describe, sandbox } = ffmpeg;
    return { lines: [`video: ${describe}`, `       runs ${sandbox.describe}`], sandbox };
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    return { lines: [`video: can't be processed: ${error.detail}`], sandbox: null };
  }
}
