import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cached, encode } from './encode';
import { inspectMedia } from './inspect';

interface Utterance {
  /** Lower case, without punctuation. */
  text: string;
  startSeconds: number;
  durationSeconds: number;
}

export interface SpokenClip {
  path: string;
  /** All utterances, joined by spaces. */
  text: string;
  durationSeconds: number;
  utterances: Utterance[];
}

const FOLDER = fileURLToPath(new URL('librivox', import.meta.url));
const PAUSE_SECONDS = 0.6;

/** Returns an MP4 of 3 seconds in which somebody says "He was not an ill-disposed young man." */
export const spokenSentence = () =>
  cached('sentence.mp4', (output) =>
    encode(
      [
        ...['-i', join(FOLDER, 'sense-and-sensibility-0880.flac')],
        ...['-f', 'lavfi', '-t', '3', '-i', 'testsrc2=size=320x180:rate=15', '-map', '0:a', '-map', '1:v'],
        ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-b:a', '96k'],
      ],
      output,
    ),
  );

/** Returns an MP4 of about 28 seconds in which five sentences are read over a test picture, with a pause after each. */
export async function spokenClip(): Promise<SpokenClip> {
  const recordings = JSON.parse(await readFile(join(FOLDER, 'transcription.json'), 'utf8')) as {
    file: string;
    text: string;
  }[];
  const files = recordings.map(({ file }) => join(FOLDER, file));
  const utterances: Utterance[] = [];
  let startSeconds = 0;
  for (const [index, { text }] of recordings.entries()) {
    const durationSeconds = Number((await inspectMedia(files[index] ?? '')).format.duration);
    utterances.push({ text, startSeconds, durationSeconds });
    startSeconds += durationSeconds + PAUSE_SECONDS;
  }
  const pad = files.map((_, index) => `[${index}:a]apad=pad_dur=${PAUSE_SECONDS}[p${index}]`).join(';');
  const joined = `${files.map((_, index) => `[p${index}]`).join('')}concat=n=${files.length}:v=0:a=1[speech]`;
  const path = await cached('spoken.mp4', (output) =>
    encode(
      [
        ...files.flatMap((file) => ['-i', file]),
        ...['-f', 'lavfi', '-t', startSeconds.toFixed(3), '-i', 'testsrc2=size=320x180:rate=15'],
        ...['-filter_complex', `${pad};${joined}`, '-map', `${files.length}:v`, '-map', '[speech]'],
        ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-b:a', '96k'],
      ],
      output,
    ),
  );
  const text = utterances.map((utterance) => utterance.text).join(' ');
  return { path, text, durationSeconds: startSeconds, utterances };
}
