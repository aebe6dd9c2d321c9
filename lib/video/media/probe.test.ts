import { describe, expect, it } from 'vitest';
import * as clips from '@/test/media/clips';
import { corpusClip } from '@/test/media/corpus/clips';
import { SECONDS } from '@/test/media/corpus/pattern';
import { SHAPED } from '@/test/media/corpus/shapes';
import { TIMED } from '@/test/media/corpus/timings';
import { nativeTool } from '@/test/media/ffmpeg-tools';
import { probe } from './probe';

const tool = await nativeTool();

function oddClip(name: string): Promise<string> {
  const clip = [...SHAPED, ...TIMED].find((one) => one.name === name);
  if (!clip) throw new Error(`The corpus has no ${name}.`);
  return clip.make();
}

describe('probe', () => {
  it.each([
    ['h264Mp4', clips.h264Mp4, 'mp4', 'h264', 'aac', false],
    ['fragmentedMp4', clips.fragmentedMp4, 'mp4', 'h264', 'opus', true],
    ['vp8Webm', clips.vp8Webm, 'webm', 'vp8', 'opus', false],
    ['vp9Webm', clips.vp9Webm, 'webm', 'vp9', 'opus', false],
    ['h264Matroska', clips.h264Matroska, 'matroska', 'h264', 'opus', false],
    ['matroskaNamedMp4', clips.matroskaNamedMp4, 'matroska', 'h264', 'aac', false],
    ['h264Mov', clips.h264Mov, 'mov', 'h264', 'pcm_s16be', false],
    ['hevcMp4', clips.hevcMp4, 'mp4', 'hevc', 'aac', false],
    ['av1Mp4', clips.av1Mp4, 'mp4', 'av1', 'opus', false],
  ] as const)('tells what %s is', async (_, clip, container, codec, sound, fragmented) => {
    const found = await probe(tool, await clip());
    expect(found).toMatchObject({
      container,
      fragmented,
      video: { codec, width: 320, height: 180, frames: 120 },
      audio: { codec: sound, channels: 1, sampleRate: 48_000 },
    });
    expect(Math.abs(found.durationSeconds - clips.CLIP_SECONDS)).toBeLessThan(0.05);
  });

  it('measures live WebM, whose header has no duration', async () => {
    const found = await probe(tool, await clips.vp8Webm());
    expect(Math.abs(found.durationSeconds - clips.CLIP_SECONDS)).toBeLessThan(0.05);
  });

  it('measures what is left of a truncated file, not what its index promises', async () => {
    for (const clip of [clips.truncatedMp4, clips.truncatedWebm, clips.truncatedFragments]) {
      const { durationSeconds } = await probe(tool, await clip());
      expect(durationSeconds).toBeGreaterThan(clips.CLIP_SECONDS * 0.5);
      expect(durationSeconds).toBeLessThan(clips.CLIP_SECONDS * 0.7);
    }
  });

  it('measures what comes before a transport stream’s clock starts over', async () => {
    const { durationSeconds } = await probe(tool, await oddClip('wraps_h264.ts'));
    expect(Math.abs(durationSeconds - SECONDS)).toBeLessThan(0.05);
  });

  it('measures what an edit list shows, not what’s there', async () => {
    const { durationSeconds } = await probe(tool, await oddClip('trimmed_h264.mp4'));
    expect(Math.abs(durationSeconds - 1.6)).toBeLessThan(0.05);
  });

  it('tells where a decoder is configured anew', async () => {
    expect((await probe(tool, await oddClip('joined.mov'))).video.reconfigured).toBe(true);
    for (const clip of [clips.h264Mp4(), corpusClip('h264_aac.flv')]) {
      expect((await probe(tool, await clip)).video.reconfigured).toBe(false);
    }
  });

  it('gives the size as displayed', async () => {
    const { video } = await probe(tool, await clips.rotatedMp4());
    expect(video).toMatchObject({ width: 180, height: 320 });
    expect((await probe(tool, await clips.anamorphicMp4())).video).toMatchObject({ width: 320, height: 180 });
  });

  it('tells ten bits from eight', async () => {
    const { video } = await probe(tool, await clips.tenBitMp4());
    expect(video).toMatchObject({ codec: 'h264', pixelFormat: 'yuv420p10le' });
  });

  it('counts the frames of a variable rate', async () => {
    const { video } = await probe(tool, await clips.variableRateVp9());
    expect(video.frames).toBe(clips.VARIABLE_RATE_FRAMES);
  });

  it('has no sound where there is none, and takes a single frame for a video', async () => {
    expect((await probe(tool, await clips.noAudioMp4())).audio).toBeNull();
    expect((await probe(tool, await clips.oneFrameMp4())).video).toMatchObject({ frames: 1 });
  });

  it('reads past captions and cover art', async () => {
    const found = await probe(tool, await clips.captionsAndCoverMp4());
    expect(found.video).toMatchObject({ codec: 'h264', index: 1, frames: 120 });
    expect(found.audio).toMatchObject({ codec: 'aac', index: 2 });
  });

  it('returns nothing that the file says about itself, such as its title, place and date', async () => {
    const found = JSON.stringify(await probe(tool, await clips.h264Mp4()));
    expect(found).not.toMatch(/2026|52\.52|secret-place/);
  });
});
