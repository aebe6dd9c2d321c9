import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { extractSpeechAudio } from '@/lib/video/media/audio';
import { MediaError } from '@/lib/video/media/errors';
import { probe } from '@/lib/video/media/probe';
import { makeRendition } from '@/lib/video/media/rendition';
import { makeThumbnail } from '@/lib/video/media/thumbnail';
import { ofThisRun, shareNotice } from '../fuzz/share';
import { corpusClip } from './corpus/clips';
import { nativeTool, workFolder } from './ffmpeg-tools';

/** A file of each container, between them with decoders that are rarely met. */
const CLIPS = [
  ...[
    'h264_aac.mp4',
    'prores_pcm_s24le.mov',
    'h264_flac.mkv',
    'vp9_opus.webm',
    'xvid_ac3.avi',
    'h264_ac3.ts',
  ],
  ...['mpeg2_ac3.vob', 'wmv2_wmav2.wmv', 'flv1_adpcm_swf.flv', 'theora_vorbis.ogv', 'h263_aac.3gp'],
  ...['hevc-hlg_aac.mp4', 'mpeg2-interlaced_mp2.ts'],
];
/** One of so many damaged files is also encoded. */
const ENCODED = 8;
const SEEDS = Array.from({ length: 2000 }, (_, seed) => seed);

/** Returns the same numbers from 0 to 1 for the same seed (Park and Miller's generator). */
function randomOf(seed: number): () => number {
  let state = (seed + 1) * 48_271;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Flips bits: most where the headers are, since what follows is rarely more than a wrong picture. */
function damage(bytes: Buffer, seed: number): Buffer {
  const random = randomOf(seed);
  const copy = Buffer.from(bytes);
  const flips = 1 + Math.floor(random() * 30);
  for (let flip = 0; flip < flips; flip += 1) {
    const place = random();
    const within = random() * Math.min(copy.length, 2000);
    const at = Math.floor(
      place < 0.4 ? within : place < 0.7 ? copy.length - 1 - within : random() * copy.length,
    );
    copy[at] = (copy[at] ?? 0) ^ (1 << Math.floor(random() * 8));
  }
  return copy;
}

const tool = await nativeTool();

it.each(CLIPS)(`%s with flipped bits does no more than fail, ${shareNotice}`, async (name) => {
  const whole = readFileSync(await corpusClip(name));
  const folder = workFolder();
  const [input, made] = [join(folder, 'input'), ['video.mp4', 'thumbnail.jpg', 'tone-map.cube', 'whole.mov']];
  const seeds = ofThisRun(SEEDS, 0).filter((_, index) => index % CLIPS.length === CLIPS.indexOf(name));
  expect(seeds.length).toBeGreaterThan(10);
  for (const [index, seed] of seeds.entries()) {
    writeFileSync(input, damage(whole, seed));
    const error: unknown = await (async () => {
      const file = { tool, input, source: await probe(tool, input) };
      if (index % ENCODED !== 0) return null;
      await makeThumbnail(file, join(folder, 'thumbnail.jpg'));
      await extractSpeechAudio(file, folder, 'samples');
      await makeRendition(file, join(folder, 'video.mp4'), 30);
      return null;
    })().catch((reason: unknown) => reason);
    if (error !== null && !(error instanceof MediaError)) throw new Error(`seed ${seed}`, { cause: error });
    const left = readdirSync(folder).filter((one) => one !== 'input' && !one.startsWith('speech'));
    expect(
      left.filter((one) => !made.includes(one)),
      `seed ${seed}`,
    ).toEqual([]);
    for (const one of readdirSync(folder)) rmSync(join(folder, one));
  }
});
