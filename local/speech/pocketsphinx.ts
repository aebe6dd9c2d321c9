import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './decode';
import type { Engine, Heard, SpokenWord } from './engine';
import { frameRate, soundsSpoken, type VoiceFrames } from './voice';

const program = 'pocketsphinx_continuous';
/** In real speech the longest word took 0.8 s; held notes became words of up to 28 s. Seconds. */
const longestWord = 1.5;
/** See `soundsSpoken`: between music (up to 0.31) and speech (from 0.44). */
const leastVoiced = 0.36;

/** The share of a passage's words, by time, that must survive for any to count. */
const leastSpoken = 0.2;

/** Debian's pocketsphinx with the model it finds by itself (`pocketsphinx-en-us`), if it works here. */
export async function findPocketsphinx(directory: string, signal: AbortSignal): Promise<Engine | undefined> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const probe = join(directory, 'probe.raw');
  try {
    await writeFile(probe, new Int16Array(1600));
    await run(program, arguments_(probe), directory, signal);
  } catch {
    return undefined;
  } finally {
    await rm(probe, { force: true });
  }
  return {
    name: 'pocketsphinx',
    model: 'pocketsphinx-en-us',
    describe: 'pocketsphinx (English only, a rough draft)',
    understands: (language) => language === undefined || /^en\b|^english$/i.test(language),
    hear,
  };
}

function arguments_(file: string): string[] {
  // Its noise removal harms clean speech, and its log says nothing to anybody here.
  return ['-infile', file, '-time', 'yes', '-remove_noise', 'no', '-logfn', '/dev/null'];
}

const hear: Engine['hear'] = async ({ samples, voice }, { directory, signal }): Promise<Heard> => {
  const file = join(directory, 'passage.raw');
  await writeFile(file, samples);
  const output = await run(program, arguments_(file), directory, signal);
  const utterances = readUtterances(output);
  const spoken = utterances
    .map((words) => words.filter(({ start, end }) => end - start <= longestWord))
    .filter((words) => isSpoken(words, voice));
  // A word or two in the midst of music is chance.
  const convincing = totalLength(spoken) >= leastSpoken * totalLength(utterances);
  return { language: 'english', words: convincing ? spoken.flat() : [] };
};

function totalLength(utterances: SpokenWord[][]): number {
  return utterances.flat().reduce((sum, { start, end }) => sum + end - start, 0);
}

/** The decoder hears words in anything: an utterance counts when what lies under its words is a voice. */
function isSpoken(words: SpokenWord[], voice: VoiceFrames): boolean {
  const frames: number[] = [];
  for (const { start, end } of words) {
    for (let frame = Math.round(start * frameRate); frame < end * frameRate; frame++) frames.push(frame);
  }
  return soundsSpoken(voice, frames, leastVoiced);
}

/**
 * Reads what `-time yes` prints: for each utterance its text on a line, then one line per word with
 * start, end (seconds) and confidence. Fillers (`<sil>`, `[NOISE]`, `++UH++`) are not words, and `(2)`
 * names a variant of pronunciation.
 */
function readUtterances(output: string): SpokenWord[][] {
  const utterances: SpokenWord[][] = [];
  for (const line of output.split('\n')) {
    const [, token, start, end, sure] = /^(\S+) (\d+\.\d+) (\d+\.\d+) (\d+\.\d+)$/.exec(line) ?? [];
    if (token === undefined) {
      utterances.push([]);
    } else if (!/^(<.*>|\[.*\]|\+\+.*\+\+)(\(\d+\))?$/.test(token)) {
      const word = token.replace(/\(\d+\)$/, '');
      // Its sums are a little off: certainty may be 1.0003.
      const probability = Math.min(Number(sure), 1);
      utterances.at(-1)?.push({ word, start: Number(start), end: Number(end), probability });
    }
  }
  return utterances.filter((words) => words.length > 0);
}
