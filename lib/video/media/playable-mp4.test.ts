import { open } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createByteReader } from '@/lib/video/shared/byte-reader';
import { ofThisRun, shareNotice } from '@/test/fuzz/share';
import * as clips from '@/test/media/clips';
import { CORPUS } from '@/test/media/corpus/clips';
import { encode } from '@/test/media/encode';
import { nativeTool, workFolder } from '@/test/media/ffmpeg-tools';
import { wrongDurationMp4 } from '@/test/media/malformed-clips';
import { withReader } from './mp4-layout';
import { readPlayableMp4 } from './playable-mp4';
import { probe } from './probe';
import { planRendition } from './rendition-plan';

const tool = await nativeTool();
const read = (path: string) => withReader(path, readPlayableMp4);

/** Puts the index of a clip first. */
async function indexFirst(clip: string): Promise<string> {
  const path = join(workFolder(), `first${extname(clip)}`);
  await encode(['-i', clip, '-map', '0', '-c', 'copy', '-movflags', '+faststart'], path);
  return path;
}

/** Expects what an index says to be what packets say. */
async function expectAgreement(path: string): Promise<void> {
  const [said, source] = [await read(path), await probe(tool, path)];
  if (!said) return;
  expect(planRendition(source)).toBe('keep');
  expect([said.width, said.height]).toEqual([source.video.width, source.video.height]);
  expect(Math.abs(said.durationMs / 1000 - source.durationSeconds)).toBeLessThan(0.1);
}

describe('an index', () => {
  it.each([
    ['an ordinary MP4', clips.h264Mp4, 320, 180],
    ['one without sound', async () => indexFirst(await clips.noAudioMp4()), 320, 180],
    ['a turned one', clips.rotatedMp4, 180, 320],
    ['one of a variable rate', async () => indexFirst(await clips.variableRateMp4()), 320, 180],
  ])('tells that browsers play %s', async (_, clip, width, height) => {
    const path = await clip();
    expect(await read(path)).toMatchObject({ width, height });
    await expectAgreement(path);
  });

  it('tells how long a video is by its samples, not by its header', async () => {
    const { durationMs = 0 } = (await read(await wrongDurationMp4())) ?? {};
    // Its sound ends with a whole frame.
    expect(durationMs).toBeGreaterThanOrEqual(4000);
    expect(durationMs).toBeLessThan(4050);
  });

  it.each([
    ['comes last', clips.indexLastMp4],
    ['is in fragments', clips.fragmentedMp4],
    ['is of another picture', async () => indexFirst(await clips.hevcMp4())],
    ['is of ten bits', async () => indexFirst(await clips.tenBitMp4())],
    ['is of a large picture', async () => indexFirst(await clips.aboveFullHd())],
    ['is of pixels that aren’t square', async () => indexFirst(await clips.anamorphicMp4())],
    ['is of another kind of file', clips.vp8Webm],
  ])('says nothing if it %s', async (_, clip) => {
    expect(await read(await clip())).toBeNull();
  });

  it('says nothing if it’s cut off, wherever that is', async () => {
    const path = await clips.h264Mp4();
    const handle = await open(path);
    const head = Buffer.alloc(4000);
    await handle.read(head, 0, head.length, 0);
    await handle.close();
    for (let size = 0; size < head.length; size += 41) {
      const cut = new Blob([head.subarray(0, size)]);
      expect(await readPlayableMp4(createByteReader(cut))).toBeNull();
    }
  });
});

const MP4S = CORPUS.filter(({ name }) => /\.(mp4|mov)$/.test(name));
describe(`an index in the corpus, ${shareNotice}`, () => {
  it.each(ofThisRun(MP4S, 3))('is right, or says nothing: $name', async ({ make }) => {
    await expectAgreement(await indexFirst(await make()));
  });
});
