import { describe, expect, it } from 'vitest';
import { planRendition } from '@/lib/video/media/rendition-plan';
import { ofThisRun, shareNotice } from '../fuzz/share';
import { type SeenPattern, seePattern } from './corpus/inspect-pattern';
import { ORIENTED } from './corpus/orientations';
import { PATTERN, SECONDS, SIGNAL } from './corpus/pattern';
import { publish } from './corpus/publish';
import { SHAPED } from './corpus/shapes';
import { TIMED } from './corpus/timings';
import { readMatrix } from './display-matrix';
import { inspectMedia } from './inspect';

/** Within 40 ms. */
const near = (seconds: number) => expect.closeTo(seconds, -Math.log10(0.08));
const UPRIGHT = [1, 0, 0, 1];
const ratio = ({ width = 0, height = 0 }: { width?: number; height?: number } = {}) => width / height;

describe(`odd clips, ${shareNotice}`, () => {
  it.each(ofThisRun([...ORIENTED, ...SHAPED, ...TIMED], 0))('$name', async (clip) => {
    const { seconds = SECONDS, flashAt = SIGNAL.from, toneAt = SIGNAL.from, isMute, size = PATTERN } = clip;
    const { matrix = UPRIGHT } = clip;
    const { input, source, output, thumbnail, made, seen, wrong, lengthTolerance } = await publish(clip);
    expect(planRendition(source)).toBe(clip.plan);
    expect(made).toMatchObject({ plan: clip.plan, probe: { video: { scan: 'progressive' } } });
    expect(made.probe.video).toMatchObject({ width: size.width, height: size.height });
    expect(readMatrix(output)).toEqual([...matrix]);
    expect(wrong).toEqual([]);
    expect(seen.edges).toBeLessThan(30);
    // Its edges are rounded to even numbers.
    expect(Math.abs(ratio((await inspectMedia(thumbnail)).streams[0]) / ratio(size) - 1)).toBeLessThan(0.01);

    const given = await seePattern(input);
    const timesOf = (one: SeenPattern) => ({ flash: one.flashAt, tone: one.tone?.at });
    const times = { flash: near(flashAt), tone: isMute ? undefined : near(toneAt) };
    expect([timesOf(given), timesOf(seen)]).toEqual([times, times]);
    const lengths = [source.durationSeconds, seen.seconds];
    expect(Math.max(...lengths.map((length) => Math.abs(length - seconds)))).toBeLessThan(lengthTolerance);
    if (!isMute) expect(Math.abs((seen.tone?.peak ?? 0) - (given.tone?.peak ?? 99))).toBeLessThan(1);
  });
});
