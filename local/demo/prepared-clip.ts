import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { checksumFile, type FileChecksum } from '@/lib/journal/entries/checksums';
import type { FfmpegTool } from '@/lib/video/media/locate-ffmpeg';
import { probe } from '@/lib/video/media/probe';
import { makeRendition } from '@/lib/video/media/rendition';
import { makeStoryboard, type Storyboard } from '@/lib/video/media/storyboard';
import { makeThumbnail } from '@/lib/video/media/thumbnail';
import { measureWaveform } from '@/lib/video/media/waveform';
import { clipFile, type DemoClip } from './clips';

/** A clip with everything that the jobs make of an uploaded video. */
export interface PreparedClip {
  clip: DemoClip;
  video: { durationMs: number; width: number; height: number };
  /** Paths; null for what isn't stored. */
  files: {
    source: string | null;
    'video.mp4': string;
    'thumbnail.jpg': string;
    'storyboard.jpg': string | null;
  };
  /** Whether the video is what was uploaded. */
  storedOnce: boolean;
  checksums: { source: FileChecksum; 'video.mp4': FileChecksum };
  storyboard: Storyboard | null;
  /** Base64, as it's stored. */
  waveform: string;
}

/**
 * Prepares a clip with the same functions as the jobs.
 * @param folder where its files go
 * @throws MediaError, Error if ffmpeg fails
 */
export async function prepareClip(tool: FfmpegTool, clip: DemoClip, folder: string): Promise<PreparedClip> {
  const own = join(folder, clip.id);
  await mkdir(own, { mode: 0o700 });
  const file = (name: string) => join(own, name);
  const source = file('source');
  // ffmpeg's sandbox takes over the folder of what it reads.
  await copyFile(clipFile(clip.id), source);
  const found = await probe(tool, source);
  const uploaded = { tool, input: source, source: found };
  await makeThumbnail(uploaded, file('thumbnail.jpg'));
  const { probe: video, isComplete: storedOnce } = await makeRendition(uploaded, file('video.mp4'), 120);
  const final = { tool, input: file('video.mp4'), source: video };
  const storyboard = await makeStoryboard(final, file('storyboard.jpg'));
  const waveform = await measureWaveform(final);
  return {
    clip,
    video: {
      durationMs: Math.round(video.durationSeconds * 1000),
      width: video.video.width,
      height: video.video.height,
    },
    files: {
      source: storedOnce ? null : source,
      'video.mp4': file('video.mp4'),
      'thumbnail.jpg': file('thumbnail.jpg'),
      'storyboard.jpg': storyboard && file('storyboard.jpg'),
    },
    storedOnce,
    checksums: { source: await checksumFile(source), 'video.mp4': await checksumFile(file('video.mp4')) },
    storyboard,
    waveform: Buffer.from(waveform).toString('base64'),
  };
}
