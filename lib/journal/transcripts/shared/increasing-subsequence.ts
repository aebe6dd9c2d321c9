import type { Steps } from '@/lib/foundation/shared/steps';
import type { WorkBudget } from './work-budget';

/** Values that are looked at in a step. */
const VALUES_IN_STEP = 8192;

/**
 * Returns the longest subsequence that increases (patience sorting).
 * @returns positions in `values`, ascending
 */
export function* longestIncreasingSubsequence(values: Int32Array, budget: WorkBudget): Steps<Int32Array> {
  /** The positions of the smallest values that end a subsequence of each length. */
  const tops = new Int32Array(values.length);
  const before = new Int32Array(values.length);
  let length = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? 0;
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((values[tops[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
      budget.charge(1);
    }
    before[index] = low > 0 ? (tops[low - 1] ?? 0) : -1;
    tops[low] = index;
    length = Math.max(length, low + 1);
    if (index % VALUES_IN_STEP === VALUES_IN_STEP - 1) yield;
  }
  const run = new Int32Array(length);
  for (let at = length - 1, index = tops[at] ?? -1; at >= 0; at--, index = before[index] ?? -1) {
    run[at] = index;
  }
  return run;
}
