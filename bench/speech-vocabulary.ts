import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadEngine } from '@/lib/video/speech/engine';
import { readSpeechFile } from '@/lib/video/speech/read-file';
import type { SpeechEngine } from '@/lib/video/speech/types';
import { buildSpeechModels } from '@/scripts/build-speech';
import { samplesOf } from '@/test/media/samples';
import type { Benchmark } from './bench';
import { measurement } from './measurements';

/** Names and terms, with what a synthetic voice has to read to say them right. */
const WORDS = Object.entries({
  ...{ Siobhan: 'Shivawn', Niamh: 'Neeve', Saoirse: 'Seersha', Xiomara: 'Seeohmara', Priyanka: 'Preeyanka' },
  ...{ Oluwaseun: 'Oloowashayoon', Zbigniew: 'Zbignyev', Matthijs: 'Mattice', Ingeborg: 'Ingeborg' },
  ...{ Calliope: 'Kalieopee', Mireille: 'Meeray', Kaveh: 'Kahvay', Ottoline: 'Ottoleen', Yusra: 'Yoosra' },
  ...{ Leocadia: 'Leeocaydia', Rasheed: 'Rasheed', Svetlana: 'Svetlahna', Anneke: 'Annekah' },
  ...{ Thandiwe: 'Tandeeway', Joaquin: 'Wahkeen', Reykjavik: 'Rayk yuhvik', Oaxaca: 'Wahhahka' },
  ...{ Schenectady: 'Skenectady', Kirsi: 'Keersee', kombucha: 'kombootcha', sertraline: 'sertraleen' },
});
/** Short names that sound like ordinary words. */
const SHORT_NAMES =
  'Ana Lee Kim Ian Amy Ella Theo Mia Leo Wren Jean Dean Shaun Claire Kate Ben Ali Wei Eli Al'.split(' ');
const SENTENCES = [
  'I called {} this morning and we talked for an hour.',
  'We have been waiting for {} since last summer.',
];
const VOICES = ['en-us', 'en-gb+f3'];

interface Clip {
  word: string;
  samples: Float32Array;
}

/** Has espeak-ng read each word in each sentence, by one of the voices. Returns null if it isn't installed. */
async function speakClips(folder: string): Promise<Clip[] | null> {
  const clips: Clip[] = [];
  const file = join(folder, 'word.wav');
  for (const [index, [word, said]] of WORDS.entries()) {
    for (const [other, sentence] of SENTENCES.entries()) {
      const voice = VOICES[(index + other) % VOICES.length] ?? '';
      const args = ['-v', voice, '-s', '150', '-w', file, sentence.replace('{}', said)];
      const failure = await promisify(execFile)('espeak-ng', args).then(
        () => null,
        (error: NodeJS.ErrnoException) => error,
      );
      if (failure?.code === 'ENOENT') return null;
      if (failure) throw failure;
      clips.push({ word, samples: await samplesOf(file) });
    }
  }
  return clips;
}

const bare = (word: string) => word.replace(/[^\p{L}]/gu, '').toLowerCase();

async function recognizeWords(engine: SpeechEngine, { samples }: Clip, vocabulary: string[]): Promise<string[]> {
  const heard = [];
  for (const passage of await engine.findPassages(samples)) {
    heard.push(...(await engine.recognize(samples, passage, { vocabulary })).words);
  }
  return heard.map(({ word }) => bare(word));
}

/** Hears the clips with some vocabulary for each, and returns the words and the seconds of CPU it took. */
async function hearClips(engine: SpeechEngine, clips: Clip[], vocabularyFor: (clip: Clip) => string[]) {
  const began = process.cpuUsage();
  const heard: string[][] = [];
  for (const clip of clips) heard.push(await recognizeWords(engine, clip, vocabularyFor(clip)));
  const { user, system } = process.cpuUsage(began);
  return { heard, seconds: (user + system) / 1e6 };
}

/** How often a person's own words are recognized once they've been corrected, and how often they're put elsewhere. */
export const speechVocabulary: Benchmark = {
  linuxOnly: false,
  async measure(bench) {
    const clips = await speakClips(bench.folder);
    if (!clips) {
      console.log('vocabulary: left out, as espeak-ng is not installed');
      return [];
    }
    await buildSpeechModels();
    const engine = await loadEngine(readSpeechFile);
    const everything = [...WORDS.map(([word]) => word), ...SHORT_NAMES];
    const plain = await hearClips(engine, clips, () => []);
    const preferred = await hearClips(engine, clips, () => everything);
    const others = await hearClips(engine, clips, ({ word }) => everything.filter((other) => other !== word));
    const missed = (heard: string[][]) =>
      heard.filter((words, index) => !words.includes(bare(clips[index]?.word ?? ''))).length;
    const names = new Set(everything.map(bare));
    const countNames = (words: string[]) => words.filter((word) => names.has(word)).length;
    const misplaced = others.heard.reduce(
      (sum, words, index) => sum + Math.max(0, countNames(words) - countNames(plain.heard[index] ?? [])),
      0,
    );
    const share = (count: number, of: number) => (100 * count) / of;
    const words = others.heard.flat().length;
    return [
      measurement('own words missed, of those without a vocabulary', {
        unit: '%',
        ours: share(missed(preferred.heard), clips.length),
        limit: share(missed(plain.heard), clips.length),
        bar: 0.7,
      }),
      measurement('own words put where others were said', {
        unit: '%',
        ours: share(misplaced, words),
        limit: 1,
        bar: 1,
      }),
      measurement(`CPU with a vocabulary of ${everything.length}`, {
        unit: 's',
        ours: preferred.seconds,
        limit: plain.seconds,
        bar: 1.6,
      }),
    ];
  },
};
