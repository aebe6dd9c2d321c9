import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import * as clips from '@/test/media/clips';
import { cached, encode } from '@/test/media/encode';
import { nativeTool, workFolder } from '@/test/media/ffmpeg-tools';
import { inspectMedia } from '@/test/media/inspect';
import { probe } from './probe';
import { makeStoryboard, type Storyboard } from './storyboard';

const tool = await nativeTool();

/** Creates a gray that gets brighter every second, from 0 to `seconds`, with a key frame every `keyFrames` frames. */
const dawn = (seconds: number, { rate, keyFrames }: { rate: number; keyFrames: number }) =>
  cached(`dawn-${seconds}-${rate}-${keyFrames}.mp4`, (path) =>
    encode(
      [
        ...['-f', 'lavfi', '-t', String(seconds), '-i', `color=black:size=64x36:rate=${rate}`],
        ...['-vf', `geq=lum='16+T*200/${seconds}':cb=128:cr=128`, '-pix_fmt', 'yuv420p'],
        ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', String(keyFrames)],
        ...['-keyint_min', String(keyFrames), '-sc_threshold', '0'],
      ],
      path,
    ),
  );

async function make(input: string) {
  const output = join(workFolder(), 'storyboard.jpg');
  const source = await probe(tool, input);
  return { output, source, made: await makeStoryboard({ tool, input, source }, output) };
}

/** Returns each thumbnail's mean luma, 0 to 255. */
async function lumaOf(path: string, { count, columns, width, height }: Storyboard): Promise<number[]> {
  const { stdout } = await promisify(execFile)(
    'ffmpeg',
    ['-nostdin', '-v', 'error', '-i', path, '-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:1'],
    { encoding: 'buffer', maxBuffer: 64_000_000 },
  );
  const stride = columns * width;
  return Array.from({ length: count }, (_, index) => {
    const [left, top] = [(index % columns) * width, Math.floor(index / columns) * height];
    let sum = 0;
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) sum += stdout[(top + y) * stride + left + x] ?? 0;
    }
    return sum / (width * height);
  });
}

describe('makeStoryboard', () => {
  it.each([
    ['a key frame a second', 60, { rate: 10, keyFrames: 10 }, 1],
    ['a key frame every four seconds', 60, { rate: 10, keyFrames: 40 }, 4],
    ['a key frame every ten seconds', 60, { rate: 10, keyFrames: 100 }, 10],
    ['only one key frame', 40, { rate: 5, keyFrames: 9999 }, 1],
    ['two hours', 7200, { rate: 1, keyFrames: 10 }, 72],
  ])('shows each moment of %s', async (_, seconds, frames, everySeconds) => {
    const { made, output } = await make(await dawn(seconds, frames));
    if (!made) throw new Error('There is no storyboard.');
    expect(made).toMatchObject({ everySeconds, count: Math.ceil(seconds / everySeconds) });
    const lumas = await lumaOf(output, made);
    expect(lumas).toHaveLength(made.count);
    const perSecond = (200 / seconds) * (255 / 219);
    lumas.forEach((luma, index) => {
      const at = luma / perSecond;
      // Within its own interval, or one key frame before it.
      expect(at, `picture ${index}`).toBeGreaterThanOrEqual((index - 0.6) * everySeconds - 0.6);
      expect(at, `picture ${index}`).toBeLessThanOrEqual((index + 1.1) * everySeconds + 0.6);
    });
    expect(statSync(output).size).toBeLessThan(500_000);
  });

  it.each([
    ['h264Mp4', clips.h264Mp4, 160, 90],
    ['rotatedMp4', clips.rotatedMp4, 90, 160],
    ['noAudioMp4', clips.noAudioMp4, 160, 90],
    ['anamorphicMp4', clips.anamorphicMp4, 160, 90],
  ] as const)('keeps the shape of %s', async (_, clip, width, height) => {
    const { made, output } = await make(await clip());
    expect(made).toEqual({ everySeconds: expect.any(Number), count: 4, columns: 4, width, height });
    const size = { codec_name: 'mjpeg', width: 4 * width, height };
    expect((await inspectMedia(output)).streams).toMatchObject([size]);
  });

  it('makes none of a single frame, and none that would cost too much', async () => {
    expect((await make(await clips.oneFrameMp4())).made).toBeNull();
    const long = await dawn(400, { rate: 1, keyFrames: 9999 });
    expect((await make(long)).made).toBeNull();
  });

  it('stays small however noisy the picture is', async () => {
    const { output } = await make(await clips.noisyMp4());
    expect(statSync(output).size).toBeLessThan(50_000);
  });
});
