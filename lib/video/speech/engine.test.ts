import { beforeAll, describe, expect, it } from 'vitest';
import { joinSamples, readSentences } from '@/test/media/samples';
import { wordErrors } from '@/test/word-errors';
import { loadEngine } from './engine';
import { readSpeechFile } from './files';
import { seemsEnglish } from './language';
import { type RecognizedPassage, type RecognizedWord, SAMPLE_RATE, type SpeechEngine } from './types';

/** 70 words, in five sentences. */
let sentences: Awaited<ReturnType<typeof readSentences>>;
let engine: SpeechEngine;
/** What was heard when all of them were read. */
let passages: RecognizedPassage[];
let words: RecognizedWord[];

beforeAll(async () => {
  [sentences, engine] = await Promise.all([readSentences(), loadEngine(readSpeechFile)]);
  passages = await recognizeAll(reading());
  words = wordsOf(passages);
});

async function recognizeAll(samples: Float32Array): Promise<RecognizedPassage[]> {
  const heard: RecognizedPassage[] = [];
  for (const passage of await engine.findPassages(samples))
    heard.push(await engine.recognize(samples, passage));
  return heard;
}

const wordsOf = (heard: readonly RecognizedPassage[]) => heard.flatMap((passage) => passage.words);
const recognizeWords = async (samples: Float32Array) => wordsOf(await recognizeAll(samples));
const textOf = (words: readonly RecognizedWord[]) => words.map(({ word }) => word).join(' ');
const spokenText = (count?: number) =>
  sentences
    .slice(0, count)
    .map(({ text }) => text)
    .join(' ');
const reading = (count?: number) =>
  joinSamples(
    sentences.slice(0, count).map(({ samples }) => samples),
    0.6,
  );
const silence = (seconds: number) => new Float32Array(seconds * SAMPLE_RATE);
/** White noise, the same every time. */
function noise(seconds: number, amplitude: number): Float32Array {
  let state = 1;
  return silence(seconds).map(() => {
    state = (state * 48_271) % 2_147_483_647;
    return amplitude * ((2 * state) / 2_147_483_647 - 1);
  });
}

describe('a reading', () => {
  it('is recognized with at most three wrong words of 70, each at its time', () => {
    expect(wordErrors(spokenText(), textOf(words))).toBeLessThanOrEqual(3);
    expect(words.length).toBeGreaterThan(66);
    let at = 0;
    for (const { start, end, confidence } of words) {
      expect(start).toBeGreaterThanOrEqual(at);
      expect(end).toBeGreaterThan(start);
      expect(end - start).toBeLessThan(2);
      expect(confidence).toBeGreaterThan(0);
      expect(confidence).toBeLessThanOrEqual(1);
      at = end - 0.02;
    }
  });

  it('starts each sentence when it is read, with its first and last word', () => {
    expect(sentences).toHaveLength(5);
    let start = 0;
    for (const { text, samples } of sentences) {
      const end = start + samples.length / SAMPLE_RATE;
      const inside = words.filter((word) => word.start >= start && word.end <= end + 0.2);
      expect(wordErrors(text, textOf(inside))).toBeLessThanOrEqual(2);
      start = end + 0.6;
    }
  });

  it('has the same passages and words every time', async () => {
    expect(await recognizeAll(reading())).toEqual(passages);
  });

  it('seems English', () => {
    const evidence = passages.map((passage) => ({
      ...passage,
      words: passage.words.map(({ word }) => word),
    }));
    expect(evidence.reduce((sum, { voiced }) => sum + voiced, 0)).toBeGreaterThan(15);
    expect(seemsEnglish(evidence)).toBe(true);
  });
});

describe('where nobody speaks', () => {
  it('finds no words in silence, noise, and hum', async () => {
    expect(await recognizeWords(silence(4))).toEqual([]);
    expect(await recognizeWords(noise(4, 0.1))).toEqual([]);
    expect(
      await recognizeWords(silence(4).map((_, i) => 0.3 * Math.sin((2 * Math.PI * 60 * i) / SAMPLE_RATE))),
    ).toEqual([]);
    expect(await engine.findPassages(new Float32Array())).toEqual([]);
  });
});

describe('a difficult recording', () => {
  it('loses nothing after seconds of silence', async () => {
    const heard = await recognizeWords(joinSamples([silence(3.5), reading(2)], 0));
    expect(wordErrors(spokenText(2), textOf(heard))).toBeLessThanOrEqual(1);
    expect(heard[0]?.start).toBeGreaterThan(3.5);
    expect(heard[0]?.start).toBeLessThan(4.2);
  });

  it('is recognized at -66 dBFS', async () => {
    const samples = reading(3);
    const level = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
    const quiet = samples.map((sample) => (sample * 10 ** (-66 / 20)) / level);
    expect(wordErrors(spokenText(3), textOf(await recognizeWords(quiet)))).toBeLessThanOrEqual(2);
  });

  it('is cut into passages of at most 28 s, even if nobody pauses', async () => {
    const samples = joinSamples(
      [1, 2, 3].flatMap(() => sentences.map(({ samples }) => samples)),
      0,
    );
    const hiss = noise(samples.length / SAMPLE_RATE, 0.001);
    const passages = await engine.findPassages(samples.map((sample, i) => sample + (hiss[i] ?? 0)));
    expect(passages.length).toBeGreaterThanOrEqual(3);
    for (const { start, end, voiced } of passages) {
      expect(end - start).toBeLessThanOrEqual(28);
      expect(voiced).toBeLessThanOrEqual(end - start + 0.001);
    }
  });
});

it('stops when its signal aborts', async () => {
  const samples = reading(1);
  const [passage] = await engine.findPassages(samples);
  if (!passage) throw new Error('There is a passage');
  const controller = new AbortController();
  const recognition = engine.recognize(samples, passage, { signal: controller.signal });
  controller.abort(new Error('No longer needed'));
  await expect(recognition).rejects.toThrow('No longer needed');
});
