import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { type FormatClip, formatClip } from '@/test/media/format-clips';
import { asVideo, videoType } from './video-type';

const file = (content: string, name: string, type = '') =>
  new File([Uint8Array.from(content, (char) => char.charCodeAt(0))], name, { type });

it.each([
  ['an MP4 without type or ending', '\0\0\0\x18ftypisom0000', 'clip', '', 'video/mp4'],
  ['QuickTime declared as text', '\0\0\0\x14ftypqt  0000', 'clip.txt', 'text/plain', 'video/quicktime'],
  ['Matroska', '\x1aE\xdf\xa3', 'clip', '', 'video/x-matroska'],
  ['a video known by its extension only', 'unknown bytes', 'clip.avi', '', 'video/x-msvideo'],
  ['a stream that starts within a packet', 'unknown\0bytes', 'clip.mts', '', 'video/mp2t'],
  ['a video known by its type only', 'unknown bytes', 'clip', 'video/quicktime', 'video/quicktime'],
  ['a type with parameters', 'unknown bytes', 'clip', 'video/webm;codecs=vp9', 'video/webm'],
])('gives %s a type to upload it with', async (_, content, name, type, expected) => {
  const video = await asVideo(file(content, name, type));
  expect([video?.type, video?.name, await video?.text()]).toEqual([
    expected,
    name,
    await file(content, name).text(),
  ]);
});

it.each([
  ['a picture named like a video', '\x89PNG\r\n\x1a\n', 'clip.mp4', 'video/mp4'],
  ['a photo of a phone', '\0\0\0\x18ftypheic0000', 'photo.mp4', 'video/mp4'],
  ['sound alone', '\0\0\0\x18ftypM4A 0000', 'song.m4a', 'audio/mp4'],
  ['a document', '%PDF-1.7', 'clip.mov', 'video/quicktime'],
  ['a text', 'no video', 'notes.txt', 'text/plain'],
  ['a file without bytes', '', 'clip.mp4', 'video/mp4'],
])('rejects %s', async (_, content, name, type) => {
  expect(await asVideo(file(content, name, type))).toBeNull();
});

/** What the browser says of a file that it knows as something else is not what it's uploaded with. */
it.each([
  ['h264.ts', 'stream', 'text/vnd.trolltech.linguist', 'video/mp2t'],
  ['camera.mts', '00001', '', 'video/mp2t'],
  ['wmv2.wmv', 'clip', '', 'video/x-ms-asf'],
  ['wmv2.wmv', 'clip.wmv', '', 'video/x-ms-wmv'],
  ['theora.ogv', 'clip.ogg', 'audio/ogg', 'video/ogg'],
  ['mpeg2.vob', 'VTS_01_1.VOB', '', 'video/mpeg'],
  ['h263.3gp', 'clip.3g2', '', 'video/3gpp2'],
  // It's refused by its name, and not as something that isn't a video.
  ['mpeg2.mxf', 'clip.mxf', 'application/mxf', 'application/octet-stream'],
] satisfies [FormatClip, string, string, string][])(
  'knows %s as %s of type %j by its content',
  async (clip, name, type, expected) => {
    const content = new Uint8Array(await readFile(await formatClip(clip)));
    expect((await asVideo(new File([content], name, { type })))?.type).toBe(expected);
  },
);

it.each([
  ['vorbis.ogg', 'song.ogg', 'video/ogg'],
  ['opus.ogv', 'song.ogv', ''],
] satisfies [FormatClip, string, string][])('rejects %s, which is sound', async (clip, name, type) => {
  const content = new Uint8Array(await readFile(await formatClip(clip)));
  expect(await asVideo(new File([content], name, { type }))).toBeNull();
});

it.each(['main.ts', 'main.mts', 'MAIN.TS'])('rejects the program %s, whatever its type', async (name) => {
  const program = 'import { name } from "größe";\r\n\tG';
  for (const type of ['', 'video/mp2t', 'video/vnd.dlna.mpeg-tts', 'text/plain'])
    expect(await asVideo(new File([program], name, { type })), type).toBeNull();
});

describe('videoType', () => {
  it('returns the declared type without its parameters', () => {
    expect(videoType({ name: 'a.bin', type: 'video/webm;codecs=vp9,opus' })).toBe('video/webm');
  });

  it.each([
    ['walk.MKV', 'video/x-matroska'],
    ['walk.2026.mov', 'video/quicktime'],
    ['walk.m4v', 'video/mp4'],
    ['walk.webm', 'video/webm'],
    ['00012.M2TS', 'video/mp2t'],
    ['walk.asf', 'video/x-ms-asf'],
  ])('guesses the type of %s if there is none', (name, type) => {
    expect(videoType({ name, type: '' })).toBe(type);
  });

  it.each([
    { name: 'song.mp3', type: 'audio/mpeg' },
    { name: 'trick.mp4', type: 'text/html' },
    { name: 'notes.txt', type: '' },
    { name: 'mp4', type: '' },
  ])('rejects $name of type "$type"', (file) => {
    expect(videoType(file)).toBeNull();
  });
});
