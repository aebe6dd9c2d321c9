import { type DisplayMatrix, writeWithMatrix } from '../display-matrix';
import { cached } from '../encode';
import type { CorpusClip } from './clips';
import { patternClip } from './encode-pattern';
import { PATTERN } from './pattern';

/**
 * Every way that a track's matrix can turn and mirror a picture, and the filters that store the pattern so that it's shown
 * upright. Phones write those that turn it, and some front cameras those that mirror it.
 */
const ORIENTATIONS: Record<string, { matrix: DisplayMatrix; filters: string[] }> = {
  upright: { matrix: [1, 0, 0, 1], filters: [] },
  'turned-90': { matrix: [0, 1, -1, 0], filters: ['transpose=cclock'] },
  'turned-180': { matrix: [-1, 0, 0, -1], filters: ['hflip', 'vflip'] },
  'turned-270': { matrix: [0, -1, 1, 0], filters: ['transpose=clock'] },
  mirrored: { matrix: [-1, 0, 0, 1], filters: ['hflip'] },
  'mirrored-90': { matrix: [0, 1, 1, 0], filters: ['transpose=cclock_flip'] },
  'mirrored-180': { matrix: [1, 0, 0, -1], filters: ['vflip'] },
  'mirrored-270': { matrix: [0, -1, -1, 0], filters: ['transpose=clock_flip'] },
};

function oriented(
  orientation: string,
  picture: string,
  plan: CorpusClip['plan'],
  { width, height }: NonNullable<CorpusClip['size']> = PATTERN,
): CorpusClip {
  const { matrix, filters } = ORIENTATIONS[orientation] ?? { matrix: [1, 0, 0, 1], filters: [] };
  const name = `${orientation}_${picture}.mov`;
  const make = () =>
    cached(`corpus-${name}`, async (path) => {
      const stored = await patternClip(`stored-${name}`, { picture, sound: 'aac', filters });
      await writeWithMatrix(stored, matrix, path);
    });
  // What's encoded again is stored upright.
  return {
    name,
    make,
    picture,
    sound: 'aac',
    plan,
    size: { width, height },
    matrix: plan === 'copy' ? matrix : [1, 0, 0, 1],
  };
}

const all = (picture: string, plan: CorpusClip['plan']) =>
  Object.keys(ORIENTATIONS).map((orientation) => oriented(orientation, picture, plan));

/** Pictures that are turned and mirrored, also with pixels that aren't square. */
export const ORIENTED: CorpusClip[] = [
  ...all('h264', 'copy'),
  ...all('hevc', 'transcode'),
  oriented('turned-90', 'h264-wide', 'copy', { width: 216, height: 144 }),
  oriented('turned-270', 'hevc-wide', 'transcode', { width: 216, height: 144 }),
  oriented('mirrored-90', 'hevc-odd', 'transcode', { width: 322, height: 182 }),
];
