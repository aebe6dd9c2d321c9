import { join } from 'node:path';
import { locateFfmpeg } from '@/lib/video/media/locate-ffmpeg';
import { probe } from '@/lib/video/media/probe';
import { makeRendition } from '@/lib/video/media/rendition';
import { trackPeakMemory } from '@/test/media/inspect';
import type { Benchmark } from './bench';
import { largeClips } from './clips';
import { type Measurement, measurement } from './measurements';

/** What a run of ffmpeg may hold, in MB, by the width of its source. */
const LIMITS: Record<number, number> = { 3840: 700, 7680: 1500 };

/** The most memory that ffmpeg holds while it makes 1080p of the largest pictures, with as many threads as it has there. */
export const memory: Benchmark = {
  linuxOnly: true,
  async measure({ folder }) {
    const tool = await locateFfmpeg({ sandbox: 'off' });
    if (tool?.kind !== 'native') throw new Error('This part needs ffmpeg on PATH.');
    const figures: Measurement[] = [];
    for (const [name, input] of Object.entries(await largeClips(folder))) {
      const source = await probe(tool, input);
      const output = join(folder, `made-${name}.mp4`);
      // Probing and checking what was made name other files first, but hold less.
      const watched = trackPeakMemory(output);
      await makeRendition({ tool, input, source }, output, 600);
      const peak = await watched.stop();
      const limit = LIMITS[source.video.width] ?? 0;
      figures.push(
        measurement(`ffmpeg: peak memory for ${name}`, { unit: 'MB', ours: peak / 1e6, limit, bar: 1 }),
      );
    }
    return figures;
  },
};
