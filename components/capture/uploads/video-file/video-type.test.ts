import { describe, expect, it } from 'vitest';
import { asVideo, videoType } from './video-type';

const file = (content: string, name: string, type = '') =>
  new File([Uint8Array.from(content, (char) => char.charCodeAt(0))], name, { type });

it.each([
  ['an MP4 without type or ending', '\0\0\0\x18ftypisom0000', 'clip', '', 'video/mp4'],
  ['QuickTime declared as text', '\0\0\0\x14ftypqt  0000', 'clip.txt', 'text/plain', 'video/quicktime'],
  ['Matroska', '\x1aE\xdf\xa3', 'clip', '', 'video/x-matroska'],
  ['a video known by its extension only', 'unknown bytes', 'clip.mts', '', 'video/mp2t'],
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

describe('videoType', () => {
  it('returns the declared type without its parameters', () => {
    expect(videoType({ name: 'a.bin', type: 'video/webm;codecs=vp9,opus' })).toBe('video/webm');
  });

  it.each([
    ['walk.MKV', 'video/x-matroska'],
    ['walk.2026.mov', 'video/quicktime'],
    ['walk.m4v', 'video/mp4'],
    ['walk.webm', 'video/webm'],
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
