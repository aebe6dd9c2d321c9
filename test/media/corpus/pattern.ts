import { writeFile } from 'node:fs/promises';
import { cached } from '../encode';

/** The size that the pattern is drawn in: three by three patches of 96 × 54, and a band below them. */
export const PATTERN = { width: 288, height: 192, patchWidth: 96, patchHeight: 54 };
/** How long a clip of the corpus lasts, and when its band flashes and its tone sounds, in seconds. */
export const SECONDS = 2;
export const SIGNAL = { from: 1, to: 1.4 };
/** The amplitude of the tone, of 1. */
const TONE_AMPLITUDE = 0.4;

/** The patches' red, green, and blue: grays, skin, and colors that a wrong matrix, range, or primaries change visibly. */
export const PATCHES: readonly (readonly [number, number, number])[] = [
  [16, 16, 16],
  [128, 128, 128],
  [235, 235, 235],
  [174, 40, 50],
  [60, 150, 70],
  [50, 70, 170],
  [214, 162, 137],
  [92, 58, 44],
  [190, 180, 60],
];

/** A picture of the patches above a black band, as PPM. */
const patternPicture = () =>
  cached('pattern.ppm', async (path) => {
    const { width, height, patchWidth, patchHeight } = PATTERN;
    const pixels = Buffer.alloc(width * height * 3);
    for (let y = 0; y < 3 * patchHeight; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const patch = PATCHES[Math.floor(y / patchHeight) * 3 + Math.floor(x / patchWidth)] ?? [0, 0, 0];
        pixels.set(patch, (y * width + x) * 3);
      }
    }
    await writeFile(path, Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`), pixels]));
  });

/** Returns ffmpeg's options for the pattern and a tone as its inputs 0 and 1. */
export async function patternInputs({
  rate = '25',
  seconds = SECONDS,
  sampleRate = 48_000,
}): Promise<string[]> {
  const tone = `${TONE_AMPLITUDE}*sin(1760*PI*t)*between(t\\,${SIGNAL.from}\\,${SIGNAL.to})`;
  return [
    ...[
      '-f',
      'image2',
      '-loop',
      '1',
      '-framerate',
      rate,
      '-t',
      String(seconds),
      '-i',
      await patternPicture(),
    ],
    ...['-f', 'lavfi', '-t', String(seconds), '-i', `aevalsrc=${tone}:s=${sampleRate}`],
  ];
}

/** Returns the filters that flash the band, and then draw the pattern in a size. */
export const patternFilters = (size?: string): string[] => [
  `drawbox=y=165:h=27:w=288:t=fill:color=white:enable='between(t,${SIGNAL.from},${SIGNAL.to})'`,
  ...(size ? [`scale=${size}:flags=neighbor`] : []),
];
