import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { codecName } from './codec-names';

describe('the name of a codec', () => {
  it.each([
    ['hevc', 'H.265 (HEVC)'],
    ['vvc', 'H.266 (VVC)'],
    ['prores', 'Apple ProRes'],
    ['dts', 'DTS'],
    ['truehd', 'Dolby TrueHD'],
    ['ac3', 'Dolby Digital'],
    ['eac3', 'Dolby Digital Plus'],
    ['mpegh_3d_audio', 'MPEG-H 3D Audio'],
    ['pcm_alaw', 'G.711'],
    ['pcm_s24le_planar', 'PCM'],
    ['adpcm_ima_qt', 'ADPCM'],
  ])('is found by ffmpeg’s name %s', (id, name) => {
    expect(codecName(id)).toBe(name);
  });

  it.each([
    ['ac-4', 'AC-4'],
    ['apac', 'Apple Positional Audio'],
    ['mha1', 'MPEG-H 3D Audio'],
    ['mhm1', 'MPEG-H 3D Audio'],
    ['vvi1', 'H.266 (VVC)'],
    ['CFHD', 'CineForm'],
    ['rle ', 'QuickTime Animation'],
    ['V_MPEGI/ISO/VVC', 'H.266 (VVC)'],
    ['0x0162', 'Windows Media Audio'],
  ])('is found by the code %s', (id, name) => {
    expect(codecName(id)).toBe(name);
  });

  it.each(['', 'zzzz', 'constructor', '__proto__', 'pcm'])('is unknown for %j', (id) => {
    expect(codecName(id)).toBeNull();
  });
});

it('uses names of ffmpeg’s that exist', () => {
  const listed = execFileSync('ffmpeg', ['-hide_banner', '-codecs'], { encoding: 'utf8' });
  const known = new Set([...listed.matchAll(/^ [D.][E.][VA]\S+ (\S+)/gm)].map(([, name]) => name));
  for (const id of [
    'dvvideo',
    'mpeg2video',
    'msmpeg4v3',
    'wmalossless',
    'qtrle',
    'dnxhd',
    'amr_wb',
    'cfhd',
  ]) {
    expect(known, id).toContain(id);
    expect(codecName(id), id).not.toBeNull();
  }
});
