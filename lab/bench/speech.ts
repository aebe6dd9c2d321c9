import { join } from 'node:path';
import { loadAlignerModel } from '@/lib/video/speech/alignment';
import { readSpeechFile } from '@/lib/video/speech/files';
import { buildSpeechModels } from '@/scripts/build-speech';
import { readSentences } from '@/test/media/samples';
import { compareWords, type WordErrors } from '@/test/word-errors';
import { type Recording, readRecordings } from '../speech/clips';
import { type Heard, recognize } from '../speech/recognize';
import { writeVideo } from '../speech/samples';
import { heardWords, saidWords, type TimedWord } from '../speech/word-starts';
import type { Benchmark } from './bench';
import { type Measurement, measurement, median, quantile } from './measurements';

/** The most words that may be wrong, in percent. */
const LIMITS: Record<string, number> = { read: 5, 'read-hard': 14, halting: 10, spontaneous: 14, quiet: 14 };
const NOBODY_SPEAKS = 'none';
/** Reported, but nothing is promised: there are words in it that may or may not be heard. */
const SINGING_AND_TELEVISION = 'singing-tv';

interface Listed extends Pick<Recording, 'name' | 'group' | 'heldOut'> {
  file: string;
  said: TimedWord[];
}

interface Result extends Listed {
  heard: TimedWord[];
  errors: WordErrors;
}

async function* readAll(): AsyncGenerator<Recording> {
  for (const [index, { text, samples }] of (await readSentences()).entries()) {
    const name = `librivox-${index + 1}`;
    yield { name, group: 'librivox', heldOut: false, text, samples, clip: { name, samples }, inserted: [] };
  }
  yield* readRecordings(process.env['SPEECH_CLIPS']);
}

async function listVideos(folder: string): Promise<Listed[]> {
  const aligner = await loadAlignerModel(readSpeechFile);
  const listed: Listed[] = [];
  for await (const recording of readAll()) {
    const { name, group, heldOut, samples } = recording;
    const file = join(folder, `speech-${listed.length}.mp4`);
    await writeVideo(file, samples);
    listed.push({ name, group, heldOut, file, said: saidWords(aligner, recording) });
  }
  return listed;
}

function compare(listed: Listed, { passages }: Heard): Result {
  const heard = heardWords(passages.flatMap(({ words }) => words));
  const plain = (words: TimedWord[]) => words.map(({ word }) => word);
  return { ...listed, heard, errors: compareWords(plain(listed.said), plain(heard)) };
}

const sum = (results: readonly Result[], count: (errors: WordErrors) => number) =>
  results.reduce((total, { errors }) => total + count(errors), 0);
const wrong = ({ replaced, added, missed }: WordErrors) => replaced + added + missed;
const percentOf = (results: readonly Result[], count: (errors: WordErrors) => number) =>
  (100 * sum(results, count)) / sum(results, ({ said }) => said);

/** How far starts of words that were heard right are from the truth, in ms. */
const startErrors = (results: readonly Result[]): number[] =>
  results.flatMap(({ said, heard, errors }) =>
    errors.matches.flatMap(([s, h]) => {
      const [truth, found] = [said[s]?.start ?? null, heard[h]?.start ?? null];
      return truth === null || found === null ? [] : [1000 * Math.abs(found - truth)];
    }),
  );

function wordErrorRates(results: readonly Result[]): Measurement[] {
  return Object.entries(LIMITS).flatMap(([group, limit]) =>
    [false, true].flatMap((heldOut) => {
      const those = results.filter((result) => result.group === group && result.heldOut === heldOut);
      const name = `words wrong, ${group}${heldOut ? ', held out' : ''}`;
      return those.length > 0
        ? [measurement(name, { unit: '%', ours: percentOf(those, wrong), limit, bar: 1 })]
        : [];
    }),
  );
}

/** What the built-in speech engine makes of a video: wrong words, their times, and what it costs. */
export const speechBenchmark: Benchmark = {
  linuxOnly: true,
  async measure({ folder }) {
    await buildSpeechModels();
    const listed = await listVideos(folder);
    const { heard, loadCpuSeconds, peakKilobytes } = await recognize(
      listed.map(({ file }) => file),
      folder,
    );
    const results = listed.flatMap((video, index) => {
      const what = heard[index];
      return what ? [compare(video, what)] : [];
    });
    const of = (group: string) => results.filter((result) => result.group === group);
    const spoken = results.filter(({ said }) => said.length > 0);
    const starts = startErrors(spoken);
    const ofSpeech = heard.filter((_, index) => (listed[index]?.said.length ?? 0) > 0);
    const total = (count: (heard: Heard) => number) => ofSpeech.reduce((all, one) => all + count(one), 0);
    for (const { name, heard: words } of [...of(NOBODY_SPEAKS), ...of(SINGING_AND_TELEVISION)]) {
      if (words.length > 0) console.log(`  ${name}: “${words.map(({ word }) => word).join(' ')}”`);
    }
    const limited = (name: string, unit: string, ours: number, limit: number) =>
      measurement(name, { unit, ours, limit, bar: 1 });
    return [
      limited('words wrong, LibriVox', 'words', sum(of('librivox'), wrong), 3),
      ...wordErrorRates(results),
      limited(
        'words missed',
        '%',
        percentOf(spoken, ({ missed }) => missed),
        3,
      ),
      limited('word starts, median', 'ms', median(starts), 40),
      limited('word starts, 95%', 'ms', quantile(starts, 0.95), 250),
      measurement('words heard where nobody speaks', {
        unit: 'words',
        ours: sum(of(NOBODY_SPEAKS), ({ added }) => added),
        limit: 1,
        bar: 0,
      }),
      limited(
        'CPU per second of speech',
        's',
        total((it) => it.cpuSeconds) / total((it) => it.seconds),
        0.15,
      ),
      limited('load the engine', 'CPU s', loadCpuSeconds, 5),
      limited('peak memory', 'MB', peakKilobytes / 1024, 650),
    ];
  },
};
