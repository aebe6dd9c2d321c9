import { join } from 'node:path';
import { extractSpeechAudio } from '@/lib/video/media/audio';
import type { FfmpegTool } from '@/lib/video/media/locate-ffmpeg';
import { probe } from '@/lib/video/media/probe';
import { makeRendition } from '@/lib/video/media/rendition';
import { makeStoryboard } from '@/lib/video/media/storyboard';
import { makeThumbnail } from '@/lib/video/media/thumbnail';
import { measureWaveform } from '@/lib/video/media/waveform';
import { cpuSeconds } from '../bench/processes';

/** CPU seconds of all that's made of a video before it can be watched, and of the sound for its words. */
export const cpuSecondsOfPipeline = (
  tool: FfmpegTool,
  file: string,
  folder: string,
  expected: 'keep' | 'transcode',
) =>
  cpuSeconds(async () => {
    const source = await probe(tool, file);
    await makeThumbnail({ tool, input: file, source }, join(folder, 'ours.jpg'));
    const { plan } = await makeRendition({ tool, input: file, source }, join(folder, 'ours.mp4'), 300);
    if (plan !== expected) throw new Error(`${file} was to be a ${expected} and became a ${plan}.`);
    await extractSpeechAudio({ tool, input: file, source }, folder, 'compressed');
  });

/** CPU seconds of the pictures and the waveform on the time bar. */
export async function cpuSecondsOfPreviews(tool: FfmpegTool, file: string, folder: string): Promise<number> {
  const source = await probe(tool, file);
  return cpuSeconds(async () => {
    await makeStoryboard({ tool, input: file, source }, join(folder, 'ours.jpg'));
    await measureWaveform({ tool, input: file, source });
  });
}
