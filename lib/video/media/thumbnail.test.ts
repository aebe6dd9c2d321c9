import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as clips from '@/test/media/clips';
import { nativeTool, workFolder } from '@/test/media/ffmpeg-tools';
import { inspectMedia, meanLuma } from '@/test/media/inspect';
import { probe } from './probe';
import { makeThumbnail } from './thumbnail';

const tool = await nativeTool();

describe('makeThumbnail', () => {
  it.each([
    ['h264Mp4', clips.h264Mp4, 640, 360],
    ['vp8Webm', clips.vp8Webm, 640, 360],
    ['fragmentedMp4', clips.fragmentedMp4, 640, 360],
    ['hevcMp4', clips.hevcMp4, 640, 360],
    ['tenBitMp4', clips.tenBitMp4, 640, 360],
    ['oneFrameMp4', clips.oneFrameMp4, 640, 360],
    ['truncatedMp4', clips.truncatedMp4, 640, 360],
    ['truncatedWebm', clips.truncatedWebm, 640, 360],
    ['anamorphicMp4', clips.anamorphicMp4, 640, 360],
    ['companionsMp4', clips.captionsAndCoverMp4, 640, 360],
    ['rotatedMp4', clips.rotatedMp4, 360, 640],
    ['blackAtFirst', clips.blackIntroMp4, 640, 360],
  ] as const)('takes a picture of %s', async (_, clip, width, height) => {
    const input = await clip();
    const output = join(workFolder(), 'thumbnail.jpg');
    await makeThumbnail({ tool, input, source: await probe(tool, input) }, output);
    const bytes = readFileSync(output);
    expect([...bytes.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
    expect((await inspectMedia(output)).streams).toMatchObject([{ codec_name: 'mjpeg', width, height }]);
    expect(await meanLuma(output)).toBeGreaterThan(60);
    expect(['Exif', 'Lavc', 'secret-place'].filter((text) => bytes.includes(text))).toEqual([]);
  });
});
