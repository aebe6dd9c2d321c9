import { describe, expect, it } from 'vitest';
import { cameraClip, stillTimeTrack, track } from '@/test/media/camera-clips';
import { packedZip } from '@/test/packed-zip';
import { readClips } from './read-clips';
import { sourceOfFile, sourcesOfZip } from './source-file';

const reader = { zone: 'America/New_York', now: Date.UTC(2026, 2, 1, 17) };
const video = track('vide', 'Core Media Video');
const keys = { 'com.apple.quicktime.content.identifier': '4636F170-F379-42AC-9CEA-20233E95936F' };
const SHORT = cameraClip({ seconds: 3, tracks: [video] });
const LONG = cameraClip({ seconds: 20, tracks: [video] });
const LINKED = cameraClip({ seconds: 3, tracks: [video], keys });
const LINKED_LONG = cameraClip({ seconds: 20, tracks: [video], keys });
const MARKED = cameraClip({ seconds: 6, tracks: [video, stillTimeTrack()], keys });

const fileAt = (path: string, content: Buffer) =>
  sourceOfFile(new File([new Uint8Array(content)], path.slice(path.lastIndexOf('/') + 1)), path);

/** Reads a clip among other files, which are only named. @returns whether it's part of a Live Photo */
async function read(path: string, content: Buffer, others: readonly string[] = []) {
  const files = [fileAt(path, content), ...others.map((other) => fileAt(other, Buffer.from('no video')))];
  const { clips, ignored } = await readClips(files, reader);
  expect(ignored).toEqual([]);
  return clips.map(({ isLivePhoto }) => isLivePhoto);
}

describe('the video of a Live Photo', () => {
  it.each([
    ['Trip/IMG_1.MOV', SHORT, 'Trip/IMG_1.HEIC'],
    ['Trip/IMG_1.MP4', SHORT, 'Trip/IMG_1.heif'],
    ['Trip/IMG_1.mov', SHORT, 'Trip/img_1.JPG'],
    ['IMG_1(1).MP4', SHORT, 'IMG_1(1).jpeg'],
    ['PXL_20231118_035751175.MP', SHORT, 'PXL_20231118_035751175.MP.jpg'],
    ['IMG_1_HEVC.MOV', SHORT, 'IMG_1.HEIC'],
    ['20190704_213005.mp4', SHORT, '20190704_213005.jpg'],
    ['a/Takeout/Google Photos/Trip/IMG_1.MP4', SHORT, 'b/Takeout/Google Photos/Trip/IMG_1.HEIC'],
    ['IMG_1.MOV', LINKED_LONG, 'IMG_1.HEIC'],
  ])('is known by its photo: %s', async (path, content, photo) => {
    expect(await read(path, content, [photo])).toEqual([true]);
    expect(await read(path, content)).toEqual([false]);
  });

  it('is known by its identifier, if it’s short or has the photo’s moment', async () => {
    expect(await read('IMG_1.MOV', LINKED)).toEqual([true]);
    expect(await read('IMG_1.MOV', MARKED)).toEqual([true]);
  });

  it.each([
    ['a long video with a photo of its name', 'IMG_1.MOV', LONG, ['IMG_1.HEIC']],
    ['a long video with an identifier', 'IMG_1.MOV', LINKED_LONG, ['IMG_2.HEIC']],
    ['a short video', 'IMG_1.MOV', SHORT, ['IMG_2.HEIC', 'IMG_1.png', 'IMG_1.HEIC.json', 'IMG_12.HEIC']],
    ['a short video in another folder', 'Trip/IMG_1.MOV', SHORT, ['IMG_1.HEIC', 'Home/IMG_1.HEIC']],
    ['a short video of a day', '2019-07-04.mp4', SHORT, ['2019-07-04.jpg']],
    ['a video of unknown length', 'IMG_1.MOV', cameraClip({ seconds: 0 }), ['IMG_1.HEIC']],
  ])('isn’t %s', async (_, path, content, others) => {
    expect(await read(path, content, others)).toEqual([false]);
  });

  it('is known in a ZIP, where its header is at the end, with a sidecar that has the date', async () => {
    const content = Buffer.concat([LINKED.subarray(0, 16), Buffer.alloc(8)]);
    content.writeUInt32BE(3_000_008, 16);
    content.write('mdat', 20);
    const whole = Buffer.concat([content, Buffer.alloc(3_000_000), LINKED.subarray(16 + 72)]);
    const sidecar = Buffer.from(JSON.stringify({ photoTakenTime: { timestamp: '1562257800' } }));
    const members = { 'IMG_1.MOV': whole, 'IMG_1.HEIC.json': sidecar, 'IMG_1.HEIC': Buffer.from('a photo') };
    const zip = packedZip(
      Object.entries(members).map(([name, bytes]) => ({ name, content: bytes, method: 8 })),
    );
    const files = await sourcesOfZip(new File([new Uint8Array(zip)], 'takeout.zip'));
    const { clips } = await readClips(files, reader);
    expect(clips).toMatchObject([{ isLivePhoto: true, seconds: 3, date: { source: 'sidecar' } }]);
  });

  it('is an entry’s own video in Day One', async () => {
    const entry = { uuid: 'A', creationDate: '2021-07-04T20:00:00Z', videos: [{ md5: 'aa', type: 'mov' }] };
    const members = {
      'Journal.json': Buffer.from(JSON.stringify({ entries: [entry] })),
      'videos/aa.mov': MARKED,
    };
    const zip = packedZip(Object.entries(members).map(([name, content]) => ({ name, content, method: 8 })));
    const files = await sourcesOfZip(new File([new Uint8Array(zip)], 'Day One.zip'));
    expect((await readClips(files, reader)).clips).toMatchObject([{ isLivePhoto: false }]);
  });
});
