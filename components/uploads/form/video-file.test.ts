import { expect, it } from 'vitest';
import { asVideo } from './video-file';

const file = (content: string, name: string, type = '') =>
  new File([Uint8Array.from(content, (char) => char.charCodeAt(0))], name, { type });

it.each([
  ['an MP4 without type or ending', '\0\0\0\x18ftypisom0000', 'clip', '', 'video/mp4'],
  ['QuickTime declared as text', '\0\0\0\x14ftypqt  0000', 'clip.txt', 'text/plain', 'video/quicktime'],
  ['Matroska', '\x1aE\xdf\xa3', 'clip', '', 'video/x-matroska'],
  ['what only its name tells', 'unknown bytes', 'clip.mts', '', ''],
  ['what only its type tells', 'unknown bytes', 'clip', 'video/quicktime', 'video/quicktime'],
])('takes %s', async (_, content, name, type, expected) => {
  expect((await asVideo(file(content, name, type)))?.type).toBe(expected);
});

it.each([
  ['a picture named like a video', '\x89PNG\r\n\x1a\n', 'clip.mp4', 'video/mp4'],
  ['a photo of a phone', '\0\0\0\x18ftypheic0000', 'photo.mp4', 'video/mp4'],
  ['sound alone', '\0\0\0\x18ftypM4A 0000', 'song.m4a', 'audio/mp4'],
  ['a document', '%PDF-1.7', 'clip.mov', 'video/quicktime'],
  ['a text', 'no video', 'notes.txt', 'text/plain'],
])('refuses %s', async (_, content, name, type) => {
  expect(await asVideo(file(content, name, type))).toBeNull();
});
