import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runAtOnce } from '@/lib/foundation/shared/steps';
import { HOSTILE_TEXTS, MAX_WORDS } from '@/test/hostile-texts';
import { matchTokens, matchTokensInSteps } from './match-tokens';
import { WorkBudget } from './work-budget';

/** How many comparisons each word may cost at that size. Passing over the text and its anchors takes up to 30. */
const COMPARISONS = 200;

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
  let row = new Array<number>(b.length + 1).fill(0);
  for (const token of a) {
    const next = [0];
    for (const [j, other] of b.entries())
      next.push(token === other ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}

describe('matchTokens', () => {
  it.each(Object.keys(HOSTILE_TEXTS))('does work in proportion to a text that %s', (name) => {
    const costOf = (count: number) => {
      const [a, b] = HOSTILE_TEXTS[name]?.(count) ?? [[], []];
      const budget = new WorkBudget(a.length + b.length);
      const match = runAtOnce(matchTokensInSteps(a, b, budget));
      expectAligned(a, b, match);
      return budget.done / (a.length + b.length);
    };
    expect(costOf(MAX_WORDS)).toBeLessThan(COMPARISONS);
  });

  it('stops often enough for others to have their turn', () => {
    for (const texts of Object.values(HOSTILE_TEXTS)) {
      const [a, b] = texts(MAX_WORDS);
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
    const [a, b] = HOSTILE_TEXTS['peels word by word']?.(MAX_WORDS) ?? [[], []];
    expect(matched(matchTokens(a, b))).toBeGreaterThan(0.45 * MAX_WORDS);
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
