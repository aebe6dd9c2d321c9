import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { type FormatClip, formatClip } from '@/test/media/format-clips';
import { box } from '@/test/media/small-clips';
import { mp4WithTracks, soundEntry, trackBox, visualEntry } from '@/test/media/track-clips';
import { packedZip } from '@/test/packed-zip';
import { readClips } from './read-clips';
import { sourceOfFile, sourcesOfZip } from './source-file';

const reader = { zone: 'Europe/Berlin', now: Date.UTC(2026, 2, 1) };
const fileAt = (path: string, content: Uint8Array | string) =>
  sourceOfFile(new File([Buffer.from(content)], path.split('/').at(-1) ?? ''), path);
const clipAt = async (path: string, clip: FormatClip) => fileAt(path, await readFile(await formatClip(clip)));
const zipOf = (members: Record<string, Uint8Array>) => {
  const packed = Object.entries(members).map(([name, content]) => ({
    ...{ name, content: Buffer.from(content), method: 8, flags: 1 << 11 },
  }));
  return sourcesOfZip(new File([new Uint8Array(packedZip(packed))], 'export.zip'));
};

it('names the videos that can’t be played, and imports the others', async () => {
  const { clips, ignored } = await readClips(
    [
      await clipAt('camera/00001.MTS', 'camera.mts'),
      await clipAt('camera/clip.wmv', 'wmv2.wmv'),
      await clipAt('tapes/1.mxf', 'mpeg2.mxf'),
      await clipAt('tapes/2.mp4', 'aac.mp4'),
      fileAt('tapes/3.mov', mp4WithTracks(trackBox('vide', visualEntry('encv')))),
    ],
    reader,
  );
  expect(clips.map(({ file, type }) => [file.path, type]).toSorted()).toEqual([
    ['camera/00001.MTS', 'video/mp2t'],
    ['camera/clip.wmv', 'video/x-ms-wmv'],
  ]);
  expect(ignored.toSorted((one, other) => one.path.localeCompare(other.path))).toEqual([
    { path: 'tapes/1.mxf', reason: expect.stringContaining('a format we can’t read (MXF)') },
    { path: 'tapes/2.mp4', reason: 'This file has sound only.' },
    { path: 'tapes/3.mov', reason: expect.stringContaining('protected (DRM)') },
  ]);
});

it('says nothing of what nobody takes for a video', async () => {
  const files = [
    await clipAt('music/1.ogg', 'vorbis.ogg'),
    await clipAt('music/2.mp3', 'id3.mp3'),
    await clipAt('music/3.wma', 'wmav2.wmv'),
    fileAt('photos/1.CR3', box('ftyp', 'crx \0\0\0\x01crx isom')),
    fileAt('site/main.ts', 'export const answer = 42;\n'),
    fileAt('site/list.m3u8', '#EXTM3U\n'),
  ];
  expect(await readClips(files, reader)).toMatchObject({ clips: [], ignored: [] });
});

it('judges a compressed file by what’s read of it', async () => {
  const noise = Buffer.from(Array.from({ length: 1_200_000 }, (_, at) => (at * 7919) % 251));
  const sound = trackBox('soun', soundEntry('mp4a'));
  // Its header starts at the end of what's read, which is a million bytes.
  const cut = Buffer.concat([
    box('ftyp', 'isom0000'),
    box('free', noise.subarray(0, 999_700)),
    box('moov', sound, trackBox('vide', visualEntry('avc1'))),
    box('mdat', noise),
  ]);
  const { clips, ignored } = await readClips(
    await zipOf({ 'cut.mp4': cut, 'sound.mp4': mp4WithTracks(sound) }),
    reader,
  );
  expect(clips.map(({ file }) => file.path)).toEqual(['cut.mp4']);
  expect(ignored).toEqual([{ path: 'sound.mp4', reason: 'This file has sound only.' }]);
});
