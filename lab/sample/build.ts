import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { StoredWord } from '@/db/schema/transcripts';
import { locateFfmpeg } from '@/lib/video/media/locate-ffmpeg';
import { alignWords, loadAlignerModel } from '@/lib/video/speech/alignment';
import { readSpeechFile } from '@/lib/video/speech/files';
import { SAMPLE_RATE } from '@/lib/video/speech/types';
import { clipFile, type DemoClip } from '@/local/demo/clips';
import { projectRoot } from '@/local/up/data-dir';
import type { Clip } from './clip';
import { CLIPS, SITE_CLIP } from './clips';
import { filmClip, saveFrame } from './film';
import { readVoice } from './voice';

type Aligner = Awaited<ReturnType<typeof loadAlignerModel>>;

const SITE_FOLDER = join(projectRoot, 'public/sample');
const SITE_DETAILS = join(projectRoot, 'components/journal/sample/sample.json');
const DEMO_LIST = join(projectRoot, 'local/demo/clips.json');
/** Small enough to be committed. */
const DEMO_FILM = { width: 640, crf: 25, preset: 'slow' };

/** A moment at which she's smiling. */
const POSTER_SECONDS = 0.2;

const rounded = (seconds: number) => Math.round(seconds * 1000) / 1000;

/** Finds when each word of a clip is said, with the aligner of the built-in engine. */
async function timeWords(ffmpeg: string, aligner: Aligner, clip: Clip): Promise<StoredWord[]> {
  const parts = await readVoice(ffmpeg, clip, SAMPLE_RATE);
  return parts.flatMap(({ part, start, samples }) => {
    const words = part.text.split(' ');
    return alignWords(aligner, samples, words).map(
      ({ start: from, end }, index): StoredWord => [
        words[index] ?? '',
        rounded(start + from),
        rounded(start + end),
      ],
    );
  });
}

/** Writes the entry that the site shows: its video, its picture, and its words. */
async function writeSiteClip(ffmpeg: string, clip: Clip, words: StoredWord[]): Promise<void> {
  await mkdir(SITE_FOLDER, { recursive: true });
  const video = join(SITE_FOLDER, 'entry.mp4');
  const duration = await filmClip(clip, video, { ffmpeg, width: 960, crf: 22, preset: 'slow' });
  await saveFrame(ffmpeg, video, join(SITE_FOLDER, 'poster.jpg'), POSTER_SECONDS);
  const spoken = words.map(
    ([word, start, end]) => `{ "word": ${JSON.stringify(word)}, "startTime": ${start}, "endTime": ${end} }`,
  );
  const details = `{ "title": ${JSON.stringify(clip.titles[0])}, "duration": ${duration}, "words": [${spoken}] }`;
  await writeFile(SITE_DETAILS, details);
}

/*
 * Makes what's committed of the clips: those of the demo with the list of them, and the one that the site shows. Run it
 * after a change in this folder.
 */
const tool = await locateFfmpeg({ sandbox: 'off' });
if (tool?.kind !== 'native') throw new Error('Install ffmpeg first.');
const aligner = await loadAlignerModel(readSpeechFile);
const made: DemoClip[] = [];
for (const clip of CLIPS) {
  const { id, titles, tags, months } = clip;
  const words = await timeWords(tool.ffmpeg, aligner, clip);
  made.push({ id, titles, tags, ...(months && { months }), words });
  await filmClip(clip, clipFile(id), { ffmpeg: tool.ffmpeg, ...DEMO_FILM });
  if (id === SITE_CLIP) await writeSiteClip(tool.ffmpeg, clip, words);
}
await writeFile(DEMO_LIST, JSON.stringify(made));
const biome = join(projectRoot, 'node_modules/@biomejs/biome/bin/biome');
await promisify(execFile)(process.execPath, [biome, 'format', '--write', DEMO_LIST, SITE_DETAILS]);
