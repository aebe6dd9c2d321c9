import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cached, encode } from './encode';

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

/** Real speech with its transcript: five sentences of a public-domain reading (LibriVox), 16 kHz mono PCM. */
const CORPUS = '/usr/share/pocketsphinx/test/data/librivox';
const PAUSE_SECONDS = 0.6;
const WAV_HEADER_BYTES = 44;
const BYTES_PER_SECOND = 32_000;

/**
 * An MP4 of about 26 seconds in which sentences are read over a test picture, with a pause after each.
 * @throws when Debian's package `pocketsphinx-testdata` is not installed
 */
export async function spokenClip(): Promise<SpokenClip> {
  const utterances: Utterance[] = [];
  const recordings: string[] = [];
  let startSeconds = 0;
  for (const { id, text } of await readCorpus()) {
    const recording = join(CORPUS, `${id}.wav`);
    const durationSeconds = ((await readFile(recording)).length - WAV_HEADER_BYTES) / BYTES_PER_SECOND;
    utterances.push({ text, startSeconds, durationSeconds });
    recordings.push(recording);
    startSeconds += durationSeconds + PAUSE_SECONDS;
  }
  const pad = recordings.map((_, index) => `[${index}:a]apad=pad_dur=${PAUSE_SECONDS}[p${index}]`).join(';');
  const joined = `${recordings.map((_, index) => `[p${index}]`).join('')}concat=n=${recordings.length}:v=0:a=1[speech]`;
  const path = await cached('spoken.mp4', (output) =>
    encode(
      [
        ...recordings.flatMap((recording) => ['-i', recording]),
        ...['-f', 'lavfi', '-t', startSeconds.toFixed(3), '-i', 'testsrc2=size=320x180:rate=15'],
        ...['-filter_complex', `${pad};${joined}`, '-map', `${recordings.length}:v`, '-map', '[speech]'],
        ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-b:a', '96k'],
      ],
      output,
    ),
  );
  return {
    path,
    text: utterances.map(({ text }) => text).join(' '),
    durationSeconds: startSeconds,
    utterances,
  };
}

async function readCorpus(): Promise<{ id: string; text: string }[]> {
  const lines = await readFile(join(CORPUS, 'transcription'), 'utf8').catch(() => {
    throw new Error('Real speech for tests is missing: apt-get install pocketsphinx-testdata');
  });
  return lines.split('\n').flatMap((line) => {
    const [, text, id] = /^<s> (.+?) <\/s> \((.+)\)$/.exec(line) ?? [];
    return text && id ? [{ id, text: text.trim() }] : [];
  });
}
