import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { h264Mp4, rotatedMp4 } from '@/test/media/clips';
import { lagOf, seePattern } from '@/test/media/corpus/inspect-pattern';
import { nativeTool, workFolder } from '@/test/media/ffmpeg-tools';
import { decodingErrors, inspectMedia } from '@/test/media/inspect';
import { fastPattern, noisyPattern } from '@/test/media/large-clips';
import { listTopLevelBoxes } from './mp4-layout';
import { probe } from './probe';
import { makeRendition } from './rendition';
import { makeSmallRendition, needsSmall } from './small-rendition';

const tool = await nativeTool();
const plain = await probe(tool, await h264Mp4());

/** Makes the final video of a clip, and its small rendition. */
async function makeBoth(clip: () => Promise<string>) {
  const input = await clip();
  const [main, small] = [join(workFolder(), 'video.mp4'), join(workFolder(), 'small.mp4')];
  const uploaded = { tool, input, source: await probe(tool, input) };
  const { probe: source } = await makeRendition(uploaded, main, 100);
  const made = await makeSmallRendition({ tool, input: main, source }, small, 100);
  return { main, small, source, made };
}

describe('makeSmallRendition', () => {
  it.each([
    ['60 frames a second', fastPattern],
    ['noise', noisyPattern],
  ] as const)('makes a video of %s small, in step, and as long', async (_, clip) => {
    const { main, small, source, made } = await makeBoth(clip);
    expect(needsSmall(source)).toBe(true);
    expect(made.video).toMatchObject({ width: 720, height: 480, codec: 'h264', pixelFormat: 'yuv420p' });
    expect(made.audio).toMatchObject({ codec: 'aac' });
    expect(made.video.frames / made.durationSeconds).toBeLessThan(31);
    expect((made.sizeBytes * 8) / made.durationSeconds).toBeLessThan(800_000);
    expect(made.video.keyFrameGap).toBeLessThan(4.1);
    expect(Math.abs(made.durationSeconds - source.durationSeconds)).toBeLessThan(0.04);

    const [before, after] = [await seePattern(main), await seePattern(small)];
    expect(Math.abs((after.flashAt ?? 0) - (before.flashAt ?? 99))).toBeLessThan(0.04);
    expect(Math.abs(lagOf(after) - lagOf(before))).toBeLessThan(0.04);
    expect(await decodingErrors(small)).toBe('');
    const boxes = (await listTopLevelBoxes(small)).map((box) => box.type);
    expect(boxes.indexOf('moov')).toBeLessThan(boxes.indexOf('mdat'));
    const { format } = await inspectMedia(small);
    expect(format.tags?.['creation_time']).toBeUndefined();
  });

  it('turns the picture of a phone that was held upright, and never enlarges it', async () => {
    const { small, made } = await makeBoth(rotatedMp4);
    expect(made.video).toMatchObject({ width: 180, height: 320 });
    const [video] = (await inspectMedia(small)).streams;
    expect(video).toMatchObject({ width: 180, height: 320 });
    expect(video?.side_data_list).toBeUndefined();
  });

  it('ends in time', async () => {
    const input = await h264Mp4();
    const source = await probe(tool, input);
    const making = makeSmallRendition({ tool, input, source }, join(workFolder(), 'late.mp4'), 0.05);
    await expect(making).rejects.toMatchObject({ kind: 'timed_out' });
  });
});

describe('needsSmall', () => {
  const video = { width: 1920, height: 1080, frames: 1800 };
  const minute = (bitsPerSecond: number, changes: Partial<typeof video> = {}) => ({
    durationSeconds: 60,
    sizeBytes: (bitsPerSecond * 60) / 8,
    video: { ...plain.video, ...video, ...changes },
  });

  it.each([
    ['4 Mbit/s', minute(4_000_000), false],
    ['a little more', minute(4_000_100), true],
    ['1080p at 30.2 frames a second', minute(1_000_000, { frames: 1812 }), false],
    ['1080p at 60 frames a second', minute(1_000_000, { frames: 3600 }), true],
    ['720p at 60 frames a second', minute(1_000_000, { width: 720, height: 1280, frames: 3600 }), false],
  ])('is answered by rates: %s', (_, source, answer) => {
    expect(needsSmall(source)).toBe(answer);
  });
});
