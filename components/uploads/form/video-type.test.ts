import { describe, expect, it } from 'vitest';
import { videoType } from './video-type';

describe('videoType', () => {
  it('takes the declared type without its parameters', () => {
    expect(videoType({ name: 'a.bin', type: 'video/webm;codecs=vp9,opus' })).toBe('video/webm');
  });

  it.each([
    ['walk.MKV', 'video/x-matroska'],
    ['walk.2026.mov', 'video/quicktime'],
    ['walk.m4v', 'video/mp4'],
    ['walk.webm', 'video/webm'],
  ])('guesses the type of %s when there is none', (name, type) => {
    expect(videoType({ name, type: '' })).toBe(type);
  });

  it.each([
    { name: 'song.mp3', type: 'audio/mpeg' },
    { name: 'trick.mp4', type: 'text/html' },
    { name: 'notes.txt', type: '' },
    { name: 'mp4', type: '' },
  ])('refuses $name of type "$type"', (file) => {
    expect(videoType(file)).toBeNull();
  });
});
