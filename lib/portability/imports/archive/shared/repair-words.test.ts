import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ArchivedTranscript } from '@/lib/journal/transcripts/contract';
import { importRevision } from '@/lib/portability/imports/archive/contract';
import { repairWords } from './requests';

type Words = ArchivedTranscript['revisions'][number]['words'];

const accepts = (words: unknown) => importRevision.body.shape.words.safeParse(words).success;

it('sends words that follow the rules as they are', () => {
  const words: Words = [
    { word: 'Called', start: 0.1, end: 0.4, confidence: 0.97 },
    { word: 'dad.', start: 0.4, end: 2.9 },
  ];
  expect(repairWords(words, 2)).toEqual([
    ['Called', 0.1, 0.4, 0.97],
    ['dad.', 0.4, 2.9, null],
  ]);
});

it('orders words, drops empty ones, and keeps the rest within the video', () => {
  const words = [
    { word: 'late', start: 9, end: 12 },
    { word: ' ', start: 0, end: 1 },
    { word: ' back\u0000wards\ud800 ', start: 3, end: 2, confidence: 1.5 },
    { word: 'x'.repeat(300), start: -1, end: 1 },
    { word: 'nowhere', start: null as unknown as number, end: 1 },
  ];
  expect(repairWords(words, 5)).toEqual([
    ['x'.repeat(200), 0, 1, null],
    ['backwards\ufffd', 3, 3, 1],
    ['late', 6, 6, null],
  ]);
});

it('sends a transcript of 100,000 words in one request', () => {
  const words = Array.from({ length: 100_001 }, (_, index) => ({
    ...{ word: 'Lighthouses', confidence: 0.1234 },
    ...{ start: 10_000 + index / 1000, end: 10_000.5 + index / 1000 },
  }));
  const sent = repairWords(words, null);
  expect(sent).toHaveLength(100_000);
  expect(JSON.stringify(words).length).toBeGreaterThan(importRevision.bodyLimit ?? 0);
  expect(JSON.stringify(sent).length).toBeLessThan(importRevision.bodyLimit ?? 0);
  expect(accepts(sent)).toBe(true);
});

it('makes any words acceptable', () => {
  const word = fc.record({
    word: fc.string({ unit: 'binary', maxLength: 300 }),
    start: fc.double(),
    end: fc.double(),
    confidence: fc.option(fc.double(), { nil: undefined }),
  });
  const duration = fc.option(fc.double({ min: 0, max: 1e7, noNaN: true }));
  fc.assert(
    fc.property(fc.array(word), duration, (words, seconds) => accepts(repairWords(words as Words, seconds))),
  );
});
