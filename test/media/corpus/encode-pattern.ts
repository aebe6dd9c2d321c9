import { cached, encode } from '../encode';
import { pictureEncoding, soundEncoding } from './codecs';
import { patternFilters, patternInputs } from './pattern';

/** A clip of the pattern: names in `codecs.ts`, and what else makes it odd. */
export interface ClipRecipe {
  picture: string;
  /** Null for none. */
  sound: string | null;
  /** Filters after those of the picture. */
  filters?: string[];
  /** Options before each input. */
  before?: { picture?: string[]; sound?: string[] };
  /** Options of the output. */
  muxing?: string[];
}

/** Returns the options that encode the pattern, which is input 0, as a picture of `codecs.ts`. */
export function pictureArgs(picture: string, more: string[] = []): string[] {
  const { size, filters = [], args } = pictureEncoding(picture);
  const all = [...patternFilters(size), ...filters, ...more];
  // Two frames become the fields of one.
  if (args.includes('+ilme+ildct')) {
    all.push(`tinterlace=interleave_${args.join().includes('bff=1') ? 'bottom' : 'top'}`);
  }
  return ['-map', '0:v', '-vf', all.join(','), ...args];
}

async function encodePattern(recipe: ClipRecipe, path: string): Promise<void> {
  const { picture, sound, filters, before = {}, muxing = [] } = recipe;
  const inputs = await patternInputs({ rate: pictureEncoding(picture).rate });
  const second = inputs.lastIndexOf('-f');
  await encode(
    [
      ...[...(before.picture ?? []), ...inputs.slice(0, second)],
      ...[...(before.sound ?? []), ...inputs.slice(second)],
      ...pictureArgs(picture, filters),
      ...(sound ? ['-map', '1:a', ...soundEncoding(sound)] : ['-an']),
      ...muxing,
    ],
    path,
  );
}

/** Returns the path of the pattern and its tone, encoded once. */
export const patternClip = (name: string, recipe: ClipRecipe): Promise<string> =>
  cached(name, (path) => encodePattern(recipe, path));
