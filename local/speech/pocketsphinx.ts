import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './decode';
import type { Engine, Heard, SpokenWord } from './engine';
import { frameRate, soundsSpoken, type VoiceFrames } from './voice';

const program = 'pocketsphinx_continuous';
/** In seconds. In real speech, the longest word took 0.8 s; held notes became words of up to 28 s. */
const longestWord = 1.5;
/** Between music (up to 0.31) and speech (0.44 or more). See `soundsSpoken`. */
const leastVoiced = 0.36;

/** The share of a passage's words, by time, that must pass for any to count. */
const leastSpoken = 0.2;

/** Returns Debian's pocketsphinx with its default model (`pocketsphinx-en-us`), if it works here. */
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
  // Its noise removal harms clean speech, and nobody reads its log.
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
  // A word or two in the middle of music are chance.
  const convincing = totalLength(spoken) >= leastSpoken * totalLength(utterances);
  return { language: 'english', words: convincing ? spoken.flat() : [] };
};

function totalLength(utterances: SpokenWord[][]): number {
  return utterances.flat().reduce((sum, { start, end }) => sum + end - start, 0);
}

/** Returns whether there's a voice under an utterance's words, because the decoder finds words in anything. */
function isSpoken(words: SpokenWord[], voice: VoiceFrames): boolean {
  const frames: number[] = [];
  for (const { start, end } of words) {
    for (let frame = Math.round(start * frameRate); frame < end * frameRate; frame++) frames.push(frame);
  }
  return soundsSpoken(voice, frames, leastVoiced);
}

/**
 * Reads the output of `-time yes`: for each utterance, a line with its text, then a line per word with its start, end
 * (seconds) and confidence. Fillers (`<sil>`, `[NOISE]`, `++UH++`) aren't words, and `(2)` marks a pronunciation.
 */
function readUtterances(output: string): SpokenWord[][] {
  const utterances: SpokenWord[][] = [];
  for (const line of output.split('\n')) {
    const [, token, start, end, sure] = /^(\S+) (\d+\.\d+) (\d+\.\d+) (\d+\.\d+)$/.exec(line) ?? [];
    if (token === undefined) {
      utterances.push([]);
    } else if (!/^(<.*>|\[.*\]|\+\+.*\+\+)(\(\d+\))?$/.test(token)) {
      const word = token.replace(/\(\d+\)$/, '');
      // Its rounding may give 1.0003.
      const probability = Math.min(Number(sure), 1);
      utterances.at(-1)?.push({ word, start: Number(start), end: Number(end), probability });
    }
  }
  return utterances.filter((words) => words.length > 0);
}
