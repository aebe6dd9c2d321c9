import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as clips from '@/test/media/clips';
import { nativeTool, workFolder } from '@/test/media/ffmpeg-tools';
import { decodingErrors, inspectMedia } from '@/test/media/inspect';
import { listTopLevelBoxes } from './mp4-layout';
import { probe } from './probe';
import { makePlayableRemux, makeRendition } from './rendition';
import { planRendition } from './rendition-plan';

const tool = await nativeTool();

async function render(clip: () => Promise<string>) {
  const input = await clip();
  const output = join(workFolder(), 'rendition.mp4');
  const source = await probe(tool, input);
  const made = await makeRendition({ tool, input, source }, output, 50);
  return {
    source,
    made,
    output,
    planned: planRendition(source),
    found: await inspectMedia(output),
  };
}

describe('makeRendition', () => {
  it.each([
    ['h264Mp4', clips.h264Mp4, 'keep', 320, 180],
    ['indexLastMp4', clips.indexLastMp4, 'copy', 320, 180],
    ['matroskaNamedMp4', clips.matroskaNamedMp4, 'copy', 320, 180],
    ['noAudioMp4', clips.noAudioMp4, 'copy', 320, 180],
    ['oneFrameMp4', clips.oneFrameMp4, 'copy', 320, 180],
    ['variableRateMp4', clips.variableRateMp4, 'copy', 320, 180],
    ['truncatedMp4', clips.truncatedMp4, 'copy', 320, 180],
    ['companionsMp4', clips.captionsAndCoverMp4, 'copy', 320, 180],
    ['rotatedMp4', clips.rotatedMp4, 'keep', 180, 320],
    ['fragmentedMp4', clips.fragmentedMp4, 'copy-video', 320, 180],
    ['truncatedFragments', clips.truncatedFragments, 'copy-video', 320, 180],
    ['h264Matroska', clips.h264Matroska, 'copy-video', 320, 180],
    ['h264Mov', clips.h264Mov, 'copy-video', 320, 180],
    ['vp8Webm', clips.vp8Webm, 'transcode', 320, 180],
    ['vp9Webm', clips.vp9Webm, 'transcode', 320, 180],
    ['av1Mp4', clips.av1Mp4, 'transcode', 320, 180],
    ['truncatedWebm', clips.truncatedWebm, 'transcode', 320, 180],
    ['hevcMp4', clips.hevcMp4, 'transcode', 320, 180],
    ['rotatedHevc', clips.rotatedHevc, 'transcode', 180, 320],
    ['tenBitMp4', clips.tenBitMp4, 'transcode', 320, 180],
    ['variableRateVp9', clips.variableRateVp9, 'transcode', 320, 180],
    ['aboveFullHd', clips.aboveFullHd, 'transcode', 1920, 1080],
  ] as const)('makes %s playable', async (_, clip, plan, width, height) => {
    const { source, made, output, planned, found } = await render(clip);
    expect(planned).toBe(plan);
    expect(made).toMatchObject({ plan, probe: { video: { width, height } } });

    const [video, audio, ...others] = found.streams;
    expect(found.format.format_name).toContain('mp4');
    expect(video).toMatchObject({ codec_type: 'video', codec_name: 'h264', pix_fmt: 'yuv420p' });
    expect(audio?.codec_name).toBe(source.audio ? 'aac' : undefined);
    expect(others).toEqual([]);
    expect(Math.abs(Number(found.format.duration) - source.durationSeconds)).toBeLessThan(0.15);
    expect(Number(video?.nb_frames)).toBe(source.video.frames);

    const boxes = (await listTopLevelBoxes(output)).map((box) => box.type);
    expect(boxes.indexOf('moov')).toBeLessThan(boxes.indexOf('mdat'));
    expect(boxes).not.toContain('moof');
    expect(await decodingErrors(output)).toBe('');
  });

  it('keeps the matrix of a phone video, and turns the picture of an encoded one', async () => {
    const copied = await render(clips.rotatedMp4);
    expect(copied.found.streams[0]).toMatchObject({ width: 320, height: 180 });
    expect(copied.found.streams[0]?.side_data_list?.[0]?.rotation).toBe(-90);
    const encoded = await render(clips.rotatedHevc);
    expect(encoded.found.streams[0]).toMatchObject({ width: 180, height: 320 });
    expect(encoded.found.streams[0]?.side_data_list).toBeUndefined();
  });

  it('leaves out where and when it was recorded', async () => {
    const secrets = ['+52.5200', '2026-03-01', 'secret-place'];
    const source = readFileSync(await clips.indexLastMp4(), 'latin1');
    expect(secrets.filter((secret) => source.includes(secret))).toContain('+52.5200');
    for (const clip of [clips.indexLastMp4, clips.captionsAndCoverMp4]) {
      const { output, found } = await render(clip);
      const bytes = readFileSync(output, 'latin1');
      expect(secrets.filter((secret) => bytes.includes(secret))).toEqual([]);
      expect(found.format.tags?.['creation_time']).toBeUndefined();
      expect(found.streams[0]?.tags?.['creation_time']).toBeUndefined();
    }
  });

  it('does not take a copy for done that -fs has cut short', async () => {
    const input = await clips.noisyMp4();
    const source = { ...(await probe(tool, input)), sizeBytes: 0 };
    const output = join(workFolder(), 'out.mp4');
    const made = await makeRendition({ tool, input, source }, output, 50);
    expect(made.plan).toBe('transcode');
    expect(Math.abs(made.probe.durationSeconds - source.durationSeconds)).toBeLessThan(0.15);
  });

  it('ends in time', async () => {
    const input = await clips.hevcMp4();
    const source = await probe(tool, input);
    const making = makeRendition({ tool, input, source }, join(workFolder(), 'late.mp4'), 0.05);
    await expect(making).rejects.toMatchObject({ kind: 'timed_out' });
  });
});

describe('makePlayableRemux', () => {
  it.each([
    ['vp8Webm', clips.vp8Webm, 'video/webm'],
    ['vp9Webm', clips.vp9Webm, 'video/webm'],
    ['av1Mp4', clips.av1Mp4, 'video/webm'],
    ['fragmentedMp4', clips.fragmentedMp4, 'video/mp4'],
  ] as const)('repacks %s with a duration and an index in front', async (_, clip, contentType) => {
    const input = await clip();
    const output = join(workFolder(), 'remux');
    const source = await probe(tool, input);
    const made = await makePlayableRemux({ tool, input, source }, output, 50);
    expect(made).toEqual({ contentType });
    const found = await inspectMedia(output);
    expect(Math.abs(Number(found.format.duration) - source.durationSeconds)).toBeLessThan(0.15);
    expect(found.streams[0]?.codec_name).toBe(source.video.codec);
    expect(await decodingErrors(output)).toBe('');
    const bytes = readFileSync(output);
    const [index, media] =
      contentType === 'video/webm'
        ? [
            bytes.indexOf(Buffer.from([0x1c, 0x53, 0xbb, 0x6b])),
            bytes.indexOf(Buffer.from([0x1f, 0x43, 0xb6, 0x75])),
          ]
        : [bytes.indexOf('moov'), bytes.indexOf('mdat')];
    expect(index).toBeGreaterThan(0);
    expect(index).toBeLessThan(media ?? 0);
  });

  it('offers nothing for what browsers do not play', async () => {
    const input = await clips.hevcMp4();
    const source = await probe(tool, input);
    expect(await makePlayableRemux({ tool, input, source }, join(workFolder(), 'x'), 50)).toBeNull();
  });
});

describe('planRendition', () => {
  it('copies no more than browsers play', async () => {
    const source = await probe(tool, await clips.indexLastMp4());
    const sound = { index: 1, codec: 'aac', profile: 'LC', channels: 6, sampleRate: 48_000 };
    expect(planRendition(source)).toBe('copy');
    expect(planRendition({ ...source, audio: sound })).toBe('copy-video');
    expect(planRendition({ ...source, video: { ...source.video, pixelFormat: 'yuv444p' } })).toBe(
      'transcode',
    );
    expect(planRendition({ ...source, video: { ...source.video, width: 1080, height: 1920 } })).toBe('copy');
    expect(planRendition({ ...source, video: { ...source.video, width: 1920, height: 1440 } })).toBe(
      'transcode',
    );
  });
});
