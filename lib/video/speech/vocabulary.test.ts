import { beforeAll, describe, expect, it } from 'vitest';
import { readSentences } from '@/test/media/samples';
import { loadEngine } from './engine';
import { readSpeechFile } from './files';
import { parsePhones, phoneDistance } from './phones';
import type { RecognizedWord, SpeechEngine } from './types';

/** "And Mr. John Dashwood had then leisure to consider …" */
let sentence: Float32Array;
let engine: SpeechEngine;
let plain: RecognizedWord[];

beforeAll(async () => {
  const [first] = await readSentences();
  sentence = first?.samples ?? new Float32Array();
  engine = await loadEngine(readSpeechFile);
  plain = await recognize([]);
});

async function recognize(vocabulary: string[]): Promise<RecognizedWord[]> {
  const heard = [];
  for (const passage of await engine.findPassages(sentence)) {
    heard.push(...(await engine.recognize(sentence, passage, { vocabulary })).words);
  }
  return heard;
}

const textOf = (words: readonly RecognizedWord[]) => words.map(({ word }) => word).join(' ');

describe('words of the speaker', () => {
  it('are written as the speaker writes them, at the time they were said', async () => {
    const preferred = await recognize(['Siobhan', 'Jon']);
    expect(textOf(plain)).toContain('Mr. John Dashwood');
    expect(textOf(preferred)).toBe(textOf(plain).replace('John', 'Jon'));
    for (const [index, { start }] of preferred.entries()) {
      expect(Math.abs(start - (plain[index]?.start ?? 0))).toBeLessThan(0.1);
    }
  });

  it('leave other words alone', async () => {
    const names = ['Siobhan', 'Oluwaseun', 'Mireille', 'Xiomara', 'Lisbon', 'Ana', 'Theo', 'kombucha'];
    expect(await recognize(names)).toEqual(plain);
  });

  it('leave words that everybody uses alone', async () => {
    expect(await recognize(['whore', 'ten', 'pleasure', 'mite', 'their'])).toEqual(plain);
  });
});

describe('phoneDistance', () => {
  const between = (one: string, other: string) => phoneDistance(parsePhones(one), parsePhones(other));

  it('is small between words that sound alike, and symmetric', () => {
    const [shivan, siobhan, lisbon] = ['SH IH V AH N', 'SH IH V AO N', 'L IH Z B AH N'];
    expect(between(siobhan, siobhan)).toBe(0);
    expect(between(shivan, siobhan)).toBeLessThan(0.1);
    expect(between(shivan, siobhan)).toBe(between(siobhan, shivan));
    expect(between(lisbon, siobhan)).toBeGreaterThan(0.3);
    expect(between('', '')).toBe(0);
  });
});
