import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runAtOnce } from '@/lib/foundation/shared/steps';
import { correctedWords } from './corrected-words';

const learn = (heard: readonly string[], corrected: readonly string[]) => [
  ...runAtOnce(correctedWords(heard, corrected)),
];

describe('correctedWords', () => {
  it.each([
    ['a name within a sentence', 'I called Chevonne today.', 'I called Siobhan today.', ['Siobhan']],
    ['a name that was heard as two words', 'I met she von at noon.', 'I met Siobhan at noon.', ['Siobhan']],
    ['a name of two words', 'We saw Ahmed today.', 'We saw Aoife O’Brien today.', ['Aoife', 'O’Brien']],
    ['a name without its possessive', 'at Lease house', 'at Li’s house', ['Li']],
    ['straight apostrophes as curly ones', "with O'brian there", "with O'Brien there", ['O’Brien']],
    ['a name that only lacked its capital', 'we flew to lisbon', 'we flew to Lisbon', ['Lisbon']],
    ['a misheard term', 'I started certraline on Monday', 'I started sertraline on Monday', ['sertraline']],
    ['a term that was heard as two words', 'some com bucha', 'some kombucha', ['kombucha']],
    ['a term that was heard as three', 'a com boo ch day', 'a comboocha day', ['comboocha']],
  ])('learns %s', (_, heard, corrected, words) => {
    expect(learn(heard.split(' '), corrected.split(' '))).toEqual(words);
  });

  it.each([
    ['a word that starts a sentence', 'It rained. when it stopped', 'It rained. Then it stopped'],
    ['the first word', 'Chevonne called', 'Siobhan called'],
    ['the pronoun', 'and died know', 'and I’d know'],
    ['an ordinary word that replaces another', 'we had a big house', 'we had a small house'],
    ['numbers and addresses', 'in 2025 at home', 'in 2026 at me@example.com'],
    ['a letter', 'plan be', 'plan B'],
    ['a word in place of more than three', 'a com boo ch a day', 'a comboocha day'],
    ['words that were only added', 'we went home', 'we went home with Ana'],
    ['words that were taken out', 'we went to Ana Maria', 'we went to Ana'],
    ['a change of punctuation', 'I saw Ana, today', 'I saw Ana today.'],
    ['more than 40 letters', 'it said hey', `it said H${'e'.repeat(40)}y`],
  ])('doesn’t learn %s', (_, heard, corrected) => {
    expect(learn(heard.split(' '), corrected.split(' '))).toEqual([]);
  });

  /** Counts differences by their definition (Levenshtein, 1966). */
  const differences = (a: string, b: string): number => {
    if (a === '' || b === '') return a.length + b.length;
    const isSame = a.at(-1) === b.at(-1);
    const [shorterA, shorterB] = [a.slice(0, -1), b.slice(0, -1)];
    const replaced = differences(shorterA, shorterB) + (isSame ? 0 : 1);
    return Math.min(replaced, differences(shorterA, b) + 1, differences(a, shorterB) + 1);
  };

  it('learns a term if up to half of its letters differ from what was heard', () => {
    const word = fc
      .array(fc.constantFrom('a', 'b', 'c'), { minLength: 4, maxLength: 6 })
      .map((letters) => letters.join(''));
    const count = { learned: 0, ignored: 0 };
    fc.assert(
      fc.property(word, word, (heard, written) => {
        fc.pre(heard !== written);
        const isLearned = differences(heard, written) <= Math.max(heard.length, written.length) / 2;
        expect(learn(['we', heard, 'it'], ['we', written, 'it'])).toEqual(isLearned ? [written] : []);
        count[isLearned ? 'learned' : 'ignored'] += 1;
      }),
      { numRuns: 300 },
    );
    expect(Math.min(count.learned, count.ignored)).toBeGreaterThan(0);
  });

  it('learns from hours of speech that were rewritten', () => {
    // Comparing every word with every other would take minutes.
    const speech = (word: string) => Array.from({ length: 60_000 }, (_, index) => `${word}${index % 7}`);
    const [heard, written] = [speech('herd').join(' '), speech('word').join(' ')];
    expect(learn(`${heard} and then Chevonne`.split(' '), `${written} and then Siobhan`.split(' '))).toEqual([
      'Siobhan',
    ]);
  });

  it('learns only words that were written, and nothing from unchanged text', () => {
    const text = fc.array(fc.oneof(fc.constantFrom('Ana', 'we', 'saw.', 'O’Neil', 'kombucha'), fc.string()));
    fc.assert(
      fc.property(text, text, (heard, corrected) => {
        expect(learn(heard, heard)).toEqual([]);
        const written = corrected.join(' ').normalize('NFC').replaceAll("'", '’');
        for (const word of learn(heard, corrected)) {
          expect(written).toContain(word);
          expect(word).toMatch(/^[\p{L}\p{M}’-]{2,40}$/u);
        }
      }),
    );
  });
});
