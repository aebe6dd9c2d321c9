import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CLIPS, clipOf, SITE_CLIP } from '@/db/sample/clips';
import { filmClip, saveFrame } from '@/db/sample/film';
import { readVoice } from '@/db/sample/voice';
import { type ClipWords, wordsOf } from '@/db/sample/words';
import { locateFfmpeg } from '@/lib/video/media/locate-ffmpeg';
import { loadAlignerModel } from '@/lib/video/speech/aligner-model';
import { alignWords } from '@/lib/video/speech/alignment';
import { readSpeechFile } from '@/lib/video/speech/read-file';
import { SAMPLE_RATE } from '@/lib/video/speech/types';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, 'public/sample');
const DETAILS = join(ROOT, 'components/journal/sample/sample.json');

/** A moment at which she's smiling. */
const POSTER_SECONDS = 0.2;

const rounded = (seconds: number) => Math.round(seconds * 1000) / 1000;

/** Finds when each word of every clip is said, with the aligner of the built-in engine. */
async function timeWords(ffmpeg: string): Promise<ClipWords> {
  const aligner = await loadAlignerModel(readSpeechFile);
  const times: ClipWords = {};
  for (const clip of CLIPS) {
    const parts = await readVoice(ffmpeg, clip, SAMPLE_RATE);
    times[clip.id] = parts.flatMap(({ part, start, samples }) =>
      alignWords(aligner, samples, part.text.split(' ')).map(({ start: from, end }): [number, number] => [
        rounded(start + from),
        rounded(start + end),
      ]),
    );
  }
  return times;
}

/**
 * Makes what's committed of the sample clips: the times of all their words, and the clip that the site shows. Run it
 * after a change of `db/sample`.
 */
async function buildSample(): Promise<void> {
  const tool = await locateFfmpeg({ sandbox: 'off' });
  if (tool?.kind !== 'native') throw new Error('Install ffmpeg first.');
  const times = await timeWords(tool.ffmpeg);
  const lists = Object.entries(times).map(([id, words]) => {
    const pairs = words.map(([start, end]) => `    [${start}, ${end}]`);
    return `  "${id}": [\n${pairs.join(',\n')}\n  ]`;
  });
  await writeFile(join(ROOT, 'db/sample/word-times.json'), `{\n${lists.join(',\n')}\n}\n`);

  const clip = clipOf(SITE_CLIP);
  await mkdir(FOLDER, { recursive: true });
  const video = join(FOLDER, 'entry.mp4');
  const duration = await filmClip(clip, video, { ffmpeg: tool.ffmpeg, width: 960, crf: 22, preset: 'slow' });
  await saveFrame(tool.ffmpeg, video, join(FOLDER, 'poster.jpg'), POSTER_SECONDS);
  const words = wordsOf(clip, times).map(
    ([word, start, end]) =>
      `    { "word": ${JSON.stringify(word)}, "startTime": ${start}, "endTime": ${end} }`,
  );
  const lines = [
    `  "title": ${JSON.stringify(clip.titles[0])}`,
    `  "duration": ${duration}`,
    `  "words": [\n${words.join(',\n')}\n  ]`,
  ];
  await writeFile(DETAILS, `{\n${lines.join(',\n')}\n}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildSample();
