import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { probe } from '@/lib/video/media/probe';
import { makeRendition } from '@/lib/video/media/rendition';
import { planRendition } from '@/lib/video/media/rendition-plan';
import { makeThumbnail } from '@/lib/video/media/thumbnail';
import { toneMapped } from '@/lib/video/media/tone-map';
import { ofThisRun, shareNotice } from '../fuzz/share';
import { CORPUS } from './corpus/clips';
import { lagOf, seePatches, seePattern } from './corpus/inspect-pattern';
import { PATCHES, SECONDS, SIGNAL, TONE_AMPLITUDE } from './corpus/pattern';
import { nativeTool, workFolder } from './ffmpeg-tools';

const tool = await nativeTool();
const TONE = 20 * Math.log10(TONE_AMPLITUDE);

describe(`corpus, ${shareNotice}`, () => {
  it.each(ofThisRun(CORPUS, 0))(
    '$name',
    async ({ make, plan, toneMap, tolerance = 3, loudness = 1, isMute }) => {
      const input = await make();
      const source = await probe(tool, input);
      expect(planRendition(source)).toBe(plan);
      expect(Math.abs(source.durationSeconds - SECONDS)).toBeLessThan(0.1);
      const folder = workFolder();
      const output = join(folder, 'video.mp4');
      const file = { tool, input, source };
      const made = await makeRendition(file, output, 60);
      expect(made.plan).toBe(plan);
      const thumbnail = join(folder, 'thumbnail.jpg');
      await makeThumbnail(file, thumbnail);
      const seen = await seePattern(output);
      const wanted = PATCHES.map((patch) =>
        toneMap
          ? toneMapped(
              toneMap,
              patch.map((value) => value / 255),
            ).map((value) => value * 255)
          : patch,
      );
      const far = (patches: number[][]) =>
        patches.flatMap((patch, index) => {
          const want = wanted[index] ?? [];
          const off = Math.max(...patch.map((value, channel) => Math.abs(value - (want[channel] ?? 0))));
          return off > tolerance ? [`${index}: ${patch.map(Math.round)} for ${want.map(Math.round)}`] : [];
        });
      expect({ video: far(seen.patches), jpeg: far(await seePatches(thumbnail)) }).toEqual({
        video: [],
        jpeg: [],
      });
      expect(Math.abs(seen.seconds - SECONDS)).toBeLessThan(0.1);
      if (isMute) return expect(seen.tone).toBeNull();
      expect(Math.abs(lagOf(seen) - lagOf(await seePattern(input)))).toBeLessThan(0.04);
      expect(Math.abs((seen.tone?.peak ?? 0) - TONE)).toBeLessThan(loudness);
      expect(Math.abs((seen.tone?.at ?? 0) - SIGNAL.from)).toBeLessThan(0.1);
    },
  );
});
