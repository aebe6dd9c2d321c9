import { expect, it } from 'vitest';
import type { MediaProbe } from '@/lib/video/media/media-probe';
import { remakeReasons } from './revision';

const BT709 = { matrix: 'bt709', primaries: 'bt709', transfer: 'bt709' };
const AAC = { index: 1, codec: 'aac', profile: 'LC', channels: 2, sampleRate: 48_000 };
const VIDEO: MediaProbe['video'] = {
  ...{ index: 0, codec: 'hevc', pixelFormat: 'yuv420p10le', width: 1920, height: 1080, frames: 100 },
  ...{ keyFrameGap: 1, reconfigured: false, scan: 'progressive', color: BT709 },
};

interface Case {
  color?: Partial<typeof BT709>;
  scan?: MediaProbe['video']['scan'];
  joined?: Partial<MediaProbe['video']>;
  played?: number | null;
  hasSound?: boolean;
}

it.each<[string, Case, string[]]>([
  ['HLG', { color: { transfer: 'arib-std-b67' } }, ['HDR']],
  ['PQ', { color: { transfer: 'smpte2084' } }, ['HDR']],
  ['BT.2020', { color: { primaries: 'bt2020' } }, ['HDR']],
  ['fields', { scan: 'interlaced' }, ['interlaced']],
  ['joined recordings', { joined: { codec: 'h264', reconfigured: true } }, ['joined']],
  ['joined recordings that were encoded again', { joined: { reconfigured: true } }, []],
  ['a lost sound', { hasSound: false }, ['sound']],
  ['the first of two tracks, and now the second one', { played: 2 }, ['sound']],
  [
    'everything wrong',
    { color: { primaries: 'bt2020' }, scan: 'interlaced', hasSound: false },
    ['HDR', 'interlaced', 'sound'],
  ],
  ['an ordinary video', {}, []],
  ['no sound to be lost', { played: null, hasSound: false }, []],
  ['an unknown scan', { scan: 'unknown' }, []],
])(
  'tells what was wrong with %s',
  (_, { color, scan = 'progressive', joined, played = 1, hasSound = true }, reasons) => {
    const source = {
      video: { ...VIDEO, ...joined, scan, color: { ...BT709, ...color } },
      audio: played === null ? null : { ...AAC, index: played },
      firstSound: played === null ? null : 1,
    };
    expect(remakeReasons(source, { hasSound })).toEqual(reasons);
  },
);
