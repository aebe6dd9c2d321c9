import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runAtOnce } from '@/lib/steps';
import { matchTokens, matchTokensInSteps } from './match-tokens';
import { WorkBudget } from './work-budget';

/** The largest transcript that's accepted, in words. */
const LARGEST = 100_000;
/** How many comparisons each word may cost at that size. Passing over the text and its anchors takes up to 30. */
const COMPARISONS = 200;

const make = (count: number, word: (index: number) => string) =>
  Array.from({ length: count }, (_, n) => word(n));
const half = Math.floor;

/** Texts that cost an algorithm most, by how many words they have. */
const ADVERSARIES: Record<string, (count: number) => [string[], string[]]> = {
  // Each cut finds a single word that's unique to both, which makes the next one unique.
  'peels word by word': (count) => [
    ['t2', 't1', ...make(count - 2, (n) => (n % 2 === 0 ? `t${n / 2 + 3}` : `t${(n + 3) / 2}`))],
    make(count, (n) => (n % 2 === 0 ? 'z' : `t${(n + 1) / 2}`)),
  ],
  'peels from both ends': (count) => {
    const [one, other] = ADVERSARIES['peels word by word']?.(half(count / 2)) ?? [[], []];
    return [
      [...one, ...one.toReversed().map((word) => `${word}r`)],
      [...other, ...other.toReversed().map((word) => `${word}r`)],
    ];
  },
  'is all equal between other ends': (count) => [
    ['a', ...make(count - 2, () => 'x'), 'b'],
    ['c', ...make(half(count / 2), () => 'x'), 'd'],
  ],
  'is all distinct': (count) => [make(count, (n) => `a${n}`), make(count, (n) => `b${n}`)],
  'is distinct but for one word in two': (count) => [
    make(count, (n) => (n % 2 ? `w${n}` : `a${n}`)),
    make(count, (n) => (n % 2 ? `w${n}` : `b${n}`)),
  ],
  'is a palindrome, a word off': (count) => {
    const palindrome = make(count, (n) => `w${Math.min(n, count - 1 - n)}`);
    return [palindrome, ['z', ...palindrome.slice(1), 'y']];
  },
  'is reversed': (count) => [make(count, (n) => `w${n}`), make(count, (n) => `w${count - 1 - n}`)],
  'is interleaved': (count) => [
    make(count, (n) => (n % 2 ? 'x' : `w${n}`)),
    make(count, (n) => (n % 2 ? `w${n - 1}` : 'y')),
  ],
  'repeats a period, half of it off': (count) => [
    make(count, (n) => `w${n % 700}`),
    ['q', ...make(count - 2, (n) => `w${(n + 350) % 700}`), 'r'],
  ],
  'has two words': (count) => [
    ['a', ...make(count - 2, (n) => (n % 2 ? 'x' : 'y')), 'b'],
    ['c', ...make(count - 2, (n) => (n % 3 ? 'x' : 'y')), 'd'],
  ],
};

function expectAligned(a: readonly string[], b: readonly string[], match: Int32Array) {
  expect(match).toHaveLength(a.length);
  let last = -1;
  let wrong = 0;
  for (const [index, place] of match.entries()) {
    if (place < 0) continue;
    if (place <= last || a[index] !== b[place]) wrong += 1;
    last = place;
  }
  expect(wrong).toBe(0);
}

const matched = (match: Int32Array) => match.filter((place) => place >= 0).length;

/** Returns the length of the longest common subsequence, by definition. */
function commonLength(a: readonly string[], b: readonly string[]): number {
  let row = make(b.length + 1, () => '').map(() => 0);
  for (const token of a) {
    const next = [0];
    for (const [j, other] of b.entries())
      next.push(token === other ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}

describe('matchTokens', () => {
  it.each(Object.keys(ADVERSARIES))('does work in proportion to a text that %s', (name) => {
    const costOf = (count: number) => {
      const [a, b] = ADVERSARIES[name]?.(count) ?? [[], []];
      const budget = new WorkBudget(a.length + b.length);
      const match = runAtOnce(matchTokensInSteps(a, b, budget));
      expectAligned(a, b, match);
      return budget.done / (a.length + b.length);
    };
    expect(costOf(LARGEST)).toBeLessThan(COMPARISONS);
  });

  it('stops often enough for others to have their turn', () => {
    for (const texts of Object.values(ADVERSARIES)) {
      const [a, b] = texts(LARGEST);
      const budget = new WorkBudget(a.length + b.length);
      const steps = matchTokensInSteps(a, b, budget);
      let most = 0;
      for (let done = 0, before = 0; !done; before = budget.done) {
        done = Number(steps.next().done);
        most = Math.max(most, budget.done - before);
      }
      // An exact comparison is charged before its first step.
      expect(most).toBeLessThan(5_000_000);
    }
  });

  it('still finds what a peeled text has in common', () => {
    const [a, b] = ADVERSARIES['peels word by word']?.(LARGEST) ?? [[], []];
    expect(matched(matchTokens(a, b))).toBeGreaterThan(0.45 * LARGEST);
  });

  it('is the longest common subsequence of short texts', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 60 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const match = matchTokens(a, b);
        expectAligned(a, b, match);
        expect(matched(match)).toBe(commonLength(a, b));
      }),
      { numRuns: 500 },
    );
  });

  it('never matches out of order, however little may be spent', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 80 });
    fc.assert(
      fc.property(text, text, fc.nat(2000), (a, b, spent) => {
        const budget = new WorkBudget(0);
        budget.charge(4_000_000 - spent);
        expectAligned(a, b, runAtOnce(matchTokensInSteps(a, b, budget)));
      }),
      { numRuns: 500 },
    );
  });
});
