import { expect, it } from 'vitest';
import { packWords, unpackWords } from './word-list';

it('packed words are the same once they’re unpacked, and take half the space', () => {
  const words = [
    { word: '“Größe”,', start_time: 0, end_time: 0.48, confidence: 0.97 },
    { word: '</script>', start_time: 0.5, end_time: 1.125 },
    { word: 'heard', start_time: 3599.999, end_time: 3600, confidence: 0 },
  ];
  const packed = packWords(words);
  expect(unpackWords(packed)).toEqual(words);
  expect(packed.length).toBeLessThan(JSON.stringify(words).length / 2);
  expect(unpackWords(packWords([]))).toEqual([]);
});
