import { describe, expect, it } from 'vitest';
import { planRendition } from '@/lib/video/media/rendition-plan';
import { ofThisRun, shareNotice } from '../fuzz/share';
import { CORPUS } from './corpus/clips';
import { lagOf, seePattern } from './corpus/inspect-pattern';
import { SECONDS, SIGNAL } from './corpus/pattern';
import { publish } from './corpus/publish';

describe(`corpus, ${shareNotice}`, () => {
  it.each(ofThisRun(CORPUS, 0))('$name', async (clip) => {
    const { input, source, made, seen, wrong, lengthTolerance } = await publish(clip);
    expect(planRendition(source)).toBe(clip.plan);
    expect(made).toMatchObject({ plan: clip.plan, probe: { video: { scan: 'progressive' } } });
    expect(Math.abs(source.durationSeconds - (clip.saidSeconds ?? SECONDS))).toBeLessThan(0.1);
    expect(wrong).toEqual([]);
    const length = clip.saidSeconds ? SECONDS : source.durationSeconds;
    expect(Math.abs(seen.seconds - length)).toBeLessThan(lengthTolerance);
    if (clip.isMute) return expect(seen.tone).toBeNull();

    // Old formats are late and quiet by themselves.
    const given = await seePattern(input);
    expect(Math.abs((given.tone?.at ?? 0) - SIGNAL.from)).toBeLessThan(0.1);
    expect(Math.abs(lagOf(seen) - lagOf(given))).toBeLessThan(0.04);
    expect(Math.abs((seen.tone?.peak ?? 0) - (given.tone?.peak ?? 99))).toBeLessThan(1);
  });
});
