import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SAMPLE_RATE } from '@/lib/video/speech/types';

const CORPUS = fileURLToPath(new URL('librivox', import.meta.url));

/** Returns a file's sound as the speech engine takes it. */
export async function samplesOf(path: string): Promise<Float32Array> {
  const { stdout } = await promisify(execFile)(
    'ffmpeg',
    ['-nostdin', '-loglevel', 'error', '-i', path, '-f', 'f32le', '-ac', '1', '-ar', `${SAMPLE_RATE}`, '-'],
    { encoding: 'buffer', maxBuffer: 64_000_000 },
  );
  return new Float32Array(Uint8Array.from(stdout).buffer);
}

/** Returns the sentences of `test/media/librivox` in order, with what is read in lower case. */
export async function readSentences(): Promise<{ text: string; samples: Float32Array }[]> {
  const list: { file: string; text: string }[] = JSON.parse(
    await readFile(join(CORPUS, 'transcription.json'), 'utf8'),
  );
  return Promise.all(
    list.map(async ({ file, text }) => ({ text, samples: await samplesOf(join(CORPUS, file)) })),
  );
}

/** Joins sounds with `pause` seconds of silence after each. */
export function joinSamples(parts: readonly Float32Array[], pause: number): Float32Array {
  const silence = Math.round(pause * SAMPLE_RATE);
  const joined = new Float32Array(parts.reduce((sum, part) => sum + part.length + silence, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length + silence;
  }
  return joined;
}
