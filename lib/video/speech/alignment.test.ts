import { beforeAll, expect, it } from 'vitest';
import { readSentences } from '@/test/media/samples';
import { alignWords, loadAlignerModel } from './alignment';
import { readSpeechFile } from './files';
import { guessPhones } from './phones';
import { spokenForm } from './spoken-form';

let aligner: Awaited<ReturnType<typeof loadAlignerModel>>;
let sentence: { words: string[]; samples: Float32Array };

beforeAll(async () => {
  const [first] = await readSentences();
  if (!first) throw new Error('There is a sentence');
  sentence = { words: first.text.split(' '), samples: first.samples };
  aligner = await loadAlignerModel(readSpeechFile);
});

const align = (words: readonly string[]) => alignWords(aligner, sentence.samples, words);
const starts = (words: readonly string[]) => align(words).map(({ start }) => start);

it('finds when each word of a sentence was said', () => {
  const times = align(sentence.words);
  // Marked by ear: "and mister john dashwood".
  for (const [index, start] of [0.2, 0.37, 0.63, 0.98].entries()) {
    expect(times[index]?.start).toBeCloseTo(start, 1);
  }
  expect(times.at(-1)?.end).toBeCloseTo(6.8, 1);
});

const STRANGERS = ['Xyloquartz', '2026', 'o’clock', '$5', 'naïve', '—', 'BBQs', 'O’Flaherty’s', '😀', '日本'];
it.each(STRANGERS)('keeps the other words’ times when one of them is %s', (stranger) => {
  const known = starts(sentence.words);
  const changed = starts(sentence.words.with(8, stranger));
  expect(known).toHaveLength(sentence.words.length);
  expect(changed).toHaveLength(sentence.words.length);
  for (const index of known.keys()) {
    if (Math.abs(index - 8) < 2) continue;
    expect(changed[index]).toBeCloseTo(known[index] ?? 0, 1);
  }
  expect(changed[8]).toBeGreaterThan(known[7] ?? 0);
  expect(changed[8]).toBeLessThan(known[10] ?? 0);
});

it('gives words times in order even if none of them was said', () => {
  const times = align(['…', '—', '😀']);
  expect(times.map(({ start }) => start)).toEqual(times.map(({ start }) => start).toSorted((a, b) => a - b));
  expect(align([])).toEqual([]);
});

it.each([
  ['$5', 'five dollars'],
  ['$1,250.50', 'one thousand two hundred fifty point five zero dollars'],
  ['2026', 'twenty twenty six'],
  ['1905,', 'nineteen oh five'],
  ['2000', 'two thousand'],
  ['15%', 'fifteen percent'],
  ['21st', 'twenty first'],
  ['20th', 'twentieth'],
  ['7:30', 'seven thirty'],
  ['7:00', 'seven o clock'],
  ['3D', 'three d'],
  ['1234567890123', 'one two three four five six seven eight nine zero one two three'],
  ['“Café—bar”', 'cafe bar'],
  ['…', ''],
])('says %s as “%s”', (written, spoken) => {
  expect(spokenForm(written).join(' ')).toBe(spoken);
});

it('guesses phones that are close to those of the dictionary', async () => {
  const dictionary = new TextDecoder().decode(await readSpeechFile('en-us/dict.txt'));
  const entries = dictionary.split('\n').flatMap((line) => {
    const [, word, phones] = /^([a-z]+)\s+(.+)$/.exec(line.trim()) ?? [];
    return word && phones && /[aeiouy]/.test(word) ? [{ word, phones: phones.split(/\s+/) }] : [];
  });
  const known = new Set(entries.flatMap(({ phones }) => phones));
  const guesses = entries.map(({ word }) => guessPhones(word)?.split(' ') ?? []);
  expect(guesses.flat().filter((phone) => !known.has(phone))).toEqual([]);
  const lengthErrors = entries.map(({ phones }, i) => Math.abs(phones.length - (guesses[i]?.length ?? 0)));
  const off = lengthErrors.reduce((sum, error) => sum + error, 0);
  expect(off / entries.reduce((sum, { phones }) => sum + phones.length, 0)).toBeLessThan(0.12);
});
