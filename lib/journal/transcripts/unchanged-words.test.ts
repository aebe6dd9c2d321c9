import { expect, it } from 'vitest';
import type { StoredWord } from '@/db/schema/transcripts';
import { runAtOnce } from '@/lib/foundation/shared/steps';
import { HOSTILE_TEXTS, MAX_WORDS } from '@/test/hostile-texts';
import { withConfidence } from './unchanged-words';

const confidences = (words: readonly StoredWord[], before: readonly StoredWord[]) =>
  runAtOnce(withConfidence(words, before)).map(([, , , confidence]) => confidence ?? null);

it('gives each word the confidence of the one with its text and times', () => {
  const before: StoredWord[] = [
    ['no', 0, 0.4, 0.1],
    ['no', 0.4, 0.8, 0.2],
    ['no', 0.8, 1, 0.3],
    ['I', 2, 3, 0.4],
    ['I', 2, 4, 0.5],
    ['mean', 5, 6],
    ['it', 6, 7, 0.7],
  ];
  expect(confidences(before, before)).toEqual([0.1, 0.2, 0.3, 0.4, 0.5, null, 0.7]);
  const after: StoredWord[] = [
    ['no', 0.4, 0.8],
    ['No', 0.8, 1],
    ['I', 2, 4],
    ['I', 2, 5],
    ['it', 6.5, 7],
    ['it', 8, 9],
  ];
  expect(confidences(after, before)).toEqual([0.2, null, 0.5, null, null, null]);
});

it.each(Object.entries(HOSTILE_TEXTS))('looks at each word a few times at most if a text %s', (_, texts) => {
  const [heard, written] = texts(MAX_WORDS);
  let looked = 0;
  /** A word that counts how often it's looked at. */
  const watched = (word: string): StoredWord =>
    new Proxy([word, 0, 0, 0.9] as StoredWord, {
      get(target, key) {
        looked += 1;
        return Reflect.get(target, key);
      },
    });
  runAtOnce(
    withConfidence(
      written.map((word) => [word, 0, 1]),
      heard.map(watched),
    ),
  );
  expect(looked).toBeLessThan(40 * MAX_WORDS);
});
