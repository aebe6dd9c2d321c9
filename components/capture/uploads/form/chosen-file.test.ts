import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readVideoHeader } from '@/components/capture/uploads/video-file/video-header';
import { CLIP_SECONDS, fragmentedMp4, h264Mov, h264Mp4, vp8Webm } from '@/test/media/clips';
import { type FormatClip, formatClip } from '@/test/media/format-clips';
import { readChosenFile } from './chosen-file';

const fileOf = async (clip: () => Promise<string>, name: string, type: string) =>
  new File([new Uint8Array(await readFile(await clip()))], name, { type });
const mp4 = () => fileOf(h264Mp4, 'day.mp4', 'video/mp4');

describe('a file over a limit', () => {
  it('is refused by its size', async () => {
    const file = await mp4();
    expect(await readChosenFile(file, { bytes: file.size - 1, seconds: null })).toEqual({
      problem: expect.stringMatching(/^This file is too large\. Videos can be up to [\d.]+ kB\. /),
    });
    expect(await readChosenFile(file, { bytes: file.size, seconds: null })).toMatchObject({ video: file });
  });

  it('is refused by the length in its header', async () => {
    const limits = { bytes: 4e9, seconds: CLIP_SECONDS - 1 };
    expect(await readChosenFile(await mp4(), limits)).toEqual({
      problem: 'This video is too long. Videos can be up to 3 seconds. Split it into shorter videos.',
    });
  });
});

describe('a file that can’t be played', () => {
  const limits = { bytes: 4e9, seconds: null };

  it.each([
    ['mpeg2.mxf', 'tape.mxf', 'application/mxf', /^This video is in a format we can’t read \(MXF\)\./],
    ['aac.mp4', 'day.mp4', 'video/mp4', /^This file has sound only\.$/],
    ['id3.mp3', 'song.mp3', 'audio/mpeg', /^This file has sound only\.$/],
  ] satisfies [FormatClip, string, string, RegExp][])('is refused: %s', async (clip, name, type, problem) => {
    const file = await fileOf(() => formatClip(clip), name, type);
    expect(await readChosenFile(file, limits)).toEqual({ problem: expect.stringMatching(problem) });
  });

  it('is refused as no video if it’s a picture or a text', async () => {
    const problem = 'Please upload a video file.';
    expect(await readChosenFile(new File(['notes'], 'notes.txt'), limits)).toEqual({ problem });
    expect(await readChosenFile(new File([Uint8Array.of(0xff, 0xd8, 0xff)], 'day.mp4'), limits)).toEqual({
      problem,
    });
  });

  it('is accepted if nothing is known of it', async () => {
    const file = new File(['unknown bytes'], 'day.mov');
    expect(await readChosenFile(file, limits)).toMatchObject({ video: { name: 'day.mov' } });
  });
});

it.each([
  ['an MP4', h264Mp4, CLIP_SECONDS],
  ['a QuickTime file', h264Mov, CLIP_SECONDS],
  ['what a recorder writes as MP4', fragmentedMp4, null],
  ['what a recorder writes as WebM', vp8Webm, null],
])('knows the length of %s', async (_, clip, seconds) => {
  const found = (await readVideoHeader(await fileOf(clip, 'day', 'video/mp4'))).seconds;
  if (seconds === null) expect(found).toBeNull();
  else expect(found).toBeCloseTo(seconds, 0);
});
