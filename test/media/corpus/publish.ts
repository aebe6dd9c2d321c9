import { join } from 'node:path';
import { probe } from '@/lib/video/media/probe';
import { makeRendition } from '@/lib/video/media/rendition';
import { makeThumbnail } from '@/lib/video/media/thumbnail';
import { toneMapped } from '@/lib/video/media/tone-map';
import { nativeTool, workFolder } from '../ffmpeg-tools';
import type { CorpusClip } from './clips';
import { seePatches, seePattern } from './inspect-pattern';
import { PATCHES } from './pattern';

/** Returns the patches that are further off than they may be, as text. */
function wrongPatches(seen: number[][], { toneMap, tolerance = 3 }: CorpusClip): string[] {
  return PATCHES.flatMap((patch, index) => {
    const coded = patch.map((value) => value / 255);
    const wanted = (toneMap ? toneMapped(toneMap, coded) : coded).map((value) => value * 255);
    const found = seen[index] ?? [];
    const off = Math.max(...wanted.map((value, channel) => Math.abs(value - (found[channel] ?? Number.NaN))));
    return off <= tolerance ? [] : [`${index}: ${found.map(Math.round)} for ${wanted.map(Math.round)}`];
  });
}

/** Makes a clip's video and its thumbnail. `wrong` are the patches of either that aren't the pattern's. */
export async function publish(clip: CorpusClip) {
  const tool = await nativeTool();
  const input = await clip.make();
  const source = await probe(tool, input);
  const folder = workFolder();
  const [output, thumbnail] = [join(folder, 'video.mp4'), join(folder, 'thumbnail.jpg')];
  const made = await makeRendition({ tool, input, source }, output, 60);
  await makeThumbnail({ tool, input, source }, thumbnail);
  const seen = await seePattern(output);
  const wrong = [seen.patches, seen.lastPatches, await seePatches(thumbnail)].flatMap((patches) =>
    wrongPatches(patches, clip),
  );
  // AAC ends with a whole frame of 1,024 samples.
  const lastFrame = 1024 / (source.audio?.sampleRate ?? 48_000);
  return { input, source, output, thumbnail, made, seen, wrong, lengthTolerance: 0.04 + lastFrame };
}
