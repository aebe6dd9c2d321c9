/** A program of its own: says which sandbox it finds, and how long the given clip is to a sandboxed ffprobe. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MediaError } from '@/lib/video/media/errors';
import { locateFfmpeg } from '@/lib/video/media/locate-ffmpeg';
import { probe } from '@/lib/video/media/probe';
import { SANDBOX_SETTINGS } from '@/lib/video/media/sandbox';

const folder = mkdtempSync(join(tmpdir(), 'daylight-confined-'));
try {
  const setting = SANDBOX_SETTINGS.find((known) => known === process.env['FFMPEG_SANDBOX']) ?? 'auto';
  const ffmpegPath = process.env['FFMPEG_PATH'];
  const tool = await locateFfmpeg({ ...(ffmpegPath && { ffmpegPath }), sandbox: setting });
  if (!tool) throw new Error('no ffmpeg');
  const clip = join(folder, 'clip.mp4');
  copyFileSync(process.argv[2] ?? '', clip);
  const { durationSeconds } = await probe(tool, clip);
  console.log(JSON.stringify({ isolation: tool.sandbox.isolation, seconds: durationSeconds }));
} catch (error) {
  if (!(error instanceof MediaError)) throw error;
  console.log(JSON.stringify({ refused: error.detail }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
