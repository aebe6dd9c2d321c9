import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { probe } from '@/lib/video/media/probe';
import { makeRendition } from '@/lib/video/media/rendition';
import { planRendition } from '@/lib/video/media/rendition-plan';
import { makeThumbnail } from '@/lib/video/media/thumbnail';
import { toneMapped } from '@/lib/video/media/tone-map';
import { ofThisRun, shareNotice } from '../fuzz/share';
import { CORPUS, type CorpusClip } from './corpus/clips';
import { lagOf, seePatches, seePattern } from './corpus/inspect-pattern';
import { PATCHES, SECONDS, SIGNAL } from './corpus/pattern';
import { nativeTool, workFolder } from './ffmpeg-tools';

const tool = await nativeTool();

/** Returns the patches that are further off than they may be, as text. */
function wrongPatches(seen: number[][], { toneMap, tolerance = 3 }: CorpusClip): string[] {
  return PATCHES.flatMap((patch, index) => {
    const coded = patch.map((value) => value / 255);
    const wanted = (toneMap ? toneMapped(toneMap, coded) : coded).map((value) => value * 255);
    const found = seen[index] ?? [];
    const off = Math.max(...wanted.map((value, channel) => Math.abs(value - (found[channel] ?? Number.NaN))));
    return off <= tolerance ? [] : [`${index}: ${found.map(Math.round)} for ${wanted.map(Math.round)}`];
  });
}

describe(`corpus, ${shareNotice}`, () => {
  it.each(ofThisRun(CORPUS, 0))('$name', async (clip) => {
    const input = await clip.make();
    const source = await probe(tool, input);
    expect(planRendition(source)).toBe(clip.plan);
    expect(Math.abs(source.durationSeconds - SECONDS)).toBeLessThan(0.1);
    const folder = workFolder();
    const [output, thumbnail] = [join(folder, 'video.mp4'), join(folder, 'thumbnail.jpg')];
    const made = await makeRendition({ tool, input, source }, output, 60);
    expect(made.plan).toBe(clip.plan);
    await makeThumbnail({ tool, input, source }, thumbnail);

    const seen = await seePattern(output);
    const wrong = [seen.patches, await seePatches(thumbnail)].map((patches) => wrongPatches(patches, clip));
    expect(wrong).toEqual([[], []]);
    // AAC ends with a whole frame of 1,024 samples.
    const lastFrame = 1024 / (source.audio?.sampleRate ?? 48_000);
    expect(Math.abs(seen.seconds - source.durationSeconds)).toBeLessThan(0.04 + lastFrame);
    if (clip.isMute) return expect(seen.tone).toBeNull();

    // Old formats are late and quiet by themselves.
    const given = await seePattern(input);
    expect(Math.abs((given.tone?.at ?? 0) - SIGNAL.from)).toBeLessThan(0.1);
    expect(Math.abs(lagOf(seen) - lagOf(given))).toBeLessThan(0.04);
    expect(Math.abs((seen.tone?.peak ?? 0) - (given.tone?.peak ?? 99))).toBeLessThan(1);
  });
});
