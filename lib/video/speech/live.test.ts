import { beforeAll, describe, expect, it } from 'vitest';
import { joinSamples, readSentences } from '@/test/media/samples';
import { wordErrors } from '@/test/word-errors';
import { loadEngine } from './engine';
import { readSpeechFile } from './files';
import { recognizeLive, TooSlowError } from './live';
import { type RecognizedPassage, SAMPLE_RATE, type SpeechEngine } from './types';

/** Samples in a chunk, about as many as the browser's audio worklet sends. */
const CHUNK = 1024;
const PAUSE = 0.6;

let sentences: Awaited<ReturnType<typeof readSentences>>;
let engine: SpeechEngine;

beforeAll(async () => {
  [sentences, engine] = await Promise.all([readSentences(), loadEngine(readSpeechFile)]);
});

const silence = (seconds: number) => new Float32Array(seconds * SAMPLE_RATE);
const wordsOf = (passages: readonly RecognizedPassage[]) => passages.flatMap(({ words }) => words);
const textOf = (passages: readonly RecognizedPassage[]) =>
  wordsOf(passages)
    .map(({ word }) => word)
    .join(' ');
const spoken = (from: number, to?: number) =>
  sentences
    .slice(from, to)
    .map(({ text }) => text)
    .join(' ');
const reading = (from: number, to?: number) =>
  joinSamples(
    sentences.slice(from, to).map(({ samples }) => samples),
    PAUSE,
  );

function listen(signal = new AbortController().signal) {
  const passages: RecognizedPassage[] = [];
  const texts: string[] = [];
  /** Up to when everything had been recognized, and how many passages that were. */
  const silences: { until: number; passages: number }[] = [];
  const live = recognizeLive(
    engine,
    {
      onText: (text) => texts.push(text),
      onPassage: (passage) => passages.push(passage),
      onSilence: (until) => silences.push({ until, passages: passages.length }),
    },
    signal,
  );
  return { live, passages, texts, silences };
}

/** Says something chunk by chunk. Returns what was on screen after each second of it. */
async function say(
  samples: Float32Array,
  { live, passages, texts }: ReturnType<typeof listen>,
  chunk = CHUNK,
) {
  const screens: string[] = [];
  for (let at = 0; at < samples.length; at += chunk) {
    const known = passages.length;
    await live.push(samples.slice(at, at + chunk));
    if (passages.length > known) texts.length = 0;
    screens.push(`${textOf(passages)} ${texts.at(-1) ?? ''}`);
  }
  await live.finish();
  return (second: number) => screens[Math.round((second * SAMPLE_RATE) / chunk)] ?? '';
}

const count = (text: string) => text.split(' ').filter(Boolean).length;

describe('somebody who reads aloud', () => {
  it('sees the words within two seconds, and then all of them at their times', async () => {
    const heard = listen();
    const samples = reading(0, 3);
    const screenAt = await say(samples, heard);
    expect(wordErrors(spoken(0, 3), textOf(heard.passages))).toBeLessThanOrEqual(2);

    const words = wordsOf(heard.passages);
    for (const [index, { start, end }] of words.entries()) {
      expect(start).toBeGreaterThanOrEqual(words[index - 1]?.start ?? 0);
      expect(end).toBeGreaterThan(start);
      expect(end).toBeLessThanOrEqual(samples.length / SAMPLE_RATE);
      const shown = end + 2 < samples.length / SAMPLE_RATE ? count(screenAt(end + 2)) : index + 1;
      // The open passage's words may be joined or split otherwise than the final ones.
      expect(shown, `words on screen 2 s after word ${index + 1}`).toBeGreaterThanOrEqual(index);
    }
    expect(words.at(-1)?.end).toBeGreaterThan(samples.length / SAMPLE_RATE - PAUSE - 1);
  });

  it('keeps their times after a part of the recording that wasn’t heard', async () => {
    const [whole, late] = [listen(), listen()];
    const samples = reading(4);
    await say(joinSamples([silence(3 - PAUSE), samples], PAUSE), whole);
    late.live.padTo(3);
    await say(samples, late);
    const [expected, actual] = [wordsOf(whole.passages), wordsOf(late.passages)];
    expect(textOf(late.passages)).toBe(textOf(whole.passages));
    expect(actual.length).toBeGreaterThan(6);
    for (const [index, { start }] of actual.entries())
      expect(Math.abs(start - (expected[index]?.start ?? 0))).toBeLessThan(0.1);
  });

  it('never pauses, and loses few words at a cut', async () => {
    const voices = await Promise.all(
      sentences.slice(0, 4).map(async ({ samples }) => {
        const [passage] = await engine.findPassages(samples);
        const { start = 0, end = 0 } = passage ?? {};
        return samples.slice(start * SAMPLE_RATE, (end + 0.1) * SAMPLE_RATE);
      }),
    );
    const heard = listen();
    // In large chunks, so that fewer texts are shown meanwhile.
    await say(joinSamples(voices, 0), heard, 5 * SAMPLE_RATE);
    expect(heard.passages.length).toBeGreaterThan(1);
    for (const { start, end } of heard.passages) expect(end - start).toBeLessThanOrEqual(16.1);
    expect(wordErrors(spoken(0, 4), textOf(heard.passages))).toBeLessThanOrEqual(6);
  });
});

it('hears no words in silence', async () => {
  const heard = listen();
  await say(silence(8), heard);
  expect(heard).toMatchObject({ passages: [], texts: [] });
});

it('says up to when it has recognized everything, while nobody speaks', async () => {
  const heard = listen();
  const samples = joinSamples([silence(2), reading(1, 2), silence(4), reading(4), silence(4)], 0);
  await say(samples, heard);
  for (const { until, passages } of heard.silences) {
    for (const { start } of heard.passages.slice(passages)) expect(start).toBeGreaterThan(until - 0.1);
  }
  expect(heard.silences.map(({ passages }) => passages)).toEqual(expect.arrayContaining([0, 1, 2]));
  expect(heard.silences.at(-1)?.until).toBeGreaterThan(samples.length / SAMPLE_RATE - 0.6);
});

it('ends when more comes in than it can deal with, but not for what waited while the engine loaded', async () => {
  const burst = silence(30);
  const live = recognizeLive(
    engine,
    { onText() {}, onPassage: () => void live.push(burst).catch(() => {}), onSilence() {} },
    new AbortController().signal,
  );
  await live.push(burst);
  const sentence = joinSamples([reading(4), silence(2)], 0);
  await expect(live.push(sentence)).rejects.toBeInstanceOf(TooSlowError);
});

it('doesn’t end for a long part of the recording that wasn’t heard', async () => {
  const { live, silences } = listen();
  await live.push(silence(1));
  live.padTo(30);
  await live.push(silence(1));
  expect(silences.at(-1)?.until).toBeGreaterThan(30);
});

it('ends when it’s told to', async () => {
  const over = new AbortController();
  const { live } = listen(over.signal);
  over.abort(new Error('left the page'));
  await expect(live.push(silence(1))).rejects.toThrow('left the page');
});
