import { cached, encode } from '../encode';
import type { CorpusClip } from './clips';
import { type ClipRecipe, patternClip } from './encode-pattern';

type Times = Partial<Pick<CorpusClip, 'seconds' | 'flashAt' | 'toneAt'>>;
type Recipe = Partial<Omit<ClipRecipe, 'picture'>>;

/** A clip whose container has odd times: its name, endings, and how it's made. */
function timed(
  name: string,
  [picture, ...endings]: [string, ...string[]],
  recipe: Recipe,
  times: Times = {},
) {
  return endings.map((ending): CorpusClip => {
    const file = `${name}_${picture}.${ending}`;
    return {
      ...{ name: file, picture, sound: 'aac', plan: picture.startsWith('h264') ? 'copy' : 'transcode' },
      ...{ seconds: 2, flashAt: 1, toneAt: 1, ...times },
      make: () => patternClip(`corpus-${file}`, { picture, sound: 'aac', ...recipe }),
    };
  });
}

/** Ten frames of 25 a second, which an edit list can leave out exactly. */
const TRIMMED_SECONDS = 0.4;

/** A clip whose first frames are there, since others need them, but aren't shown: its edit list starts later. */
const trimmed = (picture: string, ending: string): CorpusClip => {
  const name = `trimmed_${picture}.${ending}`;
  const times = { seconds: 1.6, flashAt: 0.6, toneAt: 0.6 };
  const make = () =>
    cached(`corpus-${name}`, async (path) => {
      const whole = await patternClip(`whole-${name}`, { picture, sound: 'aac' });
      await encode(['-ss', String(TRIMMED_SECONDS), '-i', whole, '-c', 'copy'], path);
    });
  return { name, picture, sound: 'aac', plan: picture === 'h264' ? 'copy' : 'transcode', ...times, make };
};

const starting = (seconds: number): Recipe => ({ muxing: ['-output_ts_offset', String(seconds)] });
const LATE = ['-itsoffset', '0.5'];
/** A camera that drops frames in the dark. The flash's first frame is among those that it keeps. */
const VARIABLE: Recipe = {
  filters: ["select='lt(t,0.7)+not(mod(n,5))'"],
  muxing: ['-fps_mode', 'vfr'],
};
/** Browsers say 1,000 frames a second in WebM, since that's the unit of its times. */
const THOUSAND: Recipe = { filters: ['fps=1000', "select='not(mod(n,40))'"], muxing: ['-fps_mode', 'vfr'] };
const B_FRAMES = ['-bf', '2', '-movflags', '+negative_cts_offsets'];
/** MPEG-TS counts to 2^33 ticks of 90 kHz and starts over, here after a second. ffmpeg starts at 1.4 s. */
const BEFORE_WRAPPING = 2 ** 33 / 90_000 - 1 - 1.4;

/** Tracks that start early, late, and apart, and frame rates that no camera should have. */
export const TIMED: CorpusClip[] = [
  ...['h264', 'hevc'].flatMap((picture) => [
    trimmed(picture, 'mp4'),
    // The pattern's times count from the sound's start, so half a second of the picture is missing.
    ...timed('late-picture', [picture, 'mp4'], { before: { picture: LATE } }, { seconds: 2.5 }),
    ...timed('late-sound', [picture, 'mp4'], { before: { sound: LATE } }, { seconds: 2.5, toneAt: 1.5 }),
    ...timed('starts-at-5', [picture, 'mp4', 'mkv', 'ts'], starting(5)),
    ...timed('wraps', [picture, 'ts'], starting(BEFORE_WRAPPING)),
    ...timed('variable-rate', [picture, 'mp4'], VARIABLE),
    ...timed('thousand', [picture, 'mkv'], THOUSAND),
    ...timed('negative-offsets', [picture, 'mp4'], { muxing: B_FRAMES }),
  ]),
  ...timed('late-picture', ['h264', 'mkv'], { before: { picture: LATE } }, { seconds: 2.5 }),
  ...timed('late-sound', ['h264', 'mkv'], { before: { sound: LATE } }, { seconds: 2.5, toneAt: 1.5 }),
  ...['h264-1', 'h264-240', 'h264-1000', 'hevc-1', 'hevc-240', 'mpeg4-1000'].flatMap((picture) =>
    timed('rate', [picture, 'mp4'], {}),
  ),
];
