import { runAtOnce, type Steps } from '@/lib/foundation/shared/steps';
import { WorkBudget } from './work-budget';

/** Ranges with up to this many pairs are compared exactly; larger ones are split at tokens that both have. */
const MAX_EXACT_PAIRS = 4_000_000;
/** Comparisons in a step, which take about a millisecond. */
const STEP = 250_000;
/** Tokens that are looked up in a step. */
const TOKENS_IN_STEP = 8192;
/** Ranges that are looked at in a step, most of which are a few words. */
const RANGES_IN_STEP = 256;
/** How often finding anchors passes over a range. */
const ANCHOR_PASSES = 3;
/** Values that are looked at in a step. */
const VALUES_IN_STEP = 8192;

interface TokenRange {
  a: number;
  aEnd: number;
  b: number;
  bEnd: number;
  /** Whether the budget is spent, so that only equal ends are matched. */
  isCoarse: boolean;
}

/** Places of equal tokens, ascending in both texts. */
interface Anchors {
  indices: Int32Array;
  places: Int32Array;
}

/** Returns a number for each token, the same for equal ones, counting from 0. */
function* numberTokens(tokens: readonly string[], numbers: Map<string, number>): Steps<Int32Array> {
  const ids = new Int32Array(tokens.length);
  for (const [index, token] of tokens.entries()) {
    const id = numbers.get(token) ?? numbers.size;
    if (id === numbers.size) numbers.set(token, id);
    ids[index] = id;
    if (index % TOKENS_IN_STEP === TOKENS_IN_STEP - 1) yield;
  }
  return ids;
}

/**
 * Returns the longest subsequence that increases (patience sorting).
 * @returns positions in `values`, ascending
 */
function* longestIncreasingSubsequence(values: Int32Array, budget: WorkBudget): Steps<Int32Array> {
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

/** Creates what pairs equal tokens in a range of two texts. @param distinct how many different tokens they have */
function createAnchorFinder(a: Int32Array, b: Int32Array, distinct: number, budget: WorkBudget) {
  const [countInA, countInB] = [new Int32Array(distinct), new Int32Array(distinct)];
  /** The first place of each token in `b` that has no partner yet, and the next place of the token at each place. */
  const [first, next] = [new Int32Array(distinct), new Int32Array(b.length)];

  function countTokens({ a: from, aEnd, b: place, bEnd }: TokenRange): void {
    for (let i = from; i < aEnd; i++) {
      const id = a[i] ?? 0;
      countInA[id] = 0;
      countInB[id] = 0;
      first[id] = -1;
    }
    for (let j = bEnd - 1; j >= place; j--) {
      const id = b[j] ?? 0;
      // What only `b` has is never asked for.
      countInB[id] = (countInB[id] ?? 0) + 1;
      next[j] = first[id] ?? -1;
      first[id] = j;
    }
    for (let i = from; i < aEnd; i++) {
      const id = a[i] ?? 0;
      countInA[id] = (countInA[id] ?? 0) + 1;
    }
  }

  /**
   * Returns equal tokens that ascend in both texts: of those that are unique to both (patience diff; Cohen,
   * 2003), or of the first with the first of its kind, the second with the second, and so on.
   */
  return function* findAnchors(range: TokenRange, which: 'unique' | 'all'): Steps<Anchors> {
    budget.charge(ANCHOR_PASSES * (range.aEnd - range.a + range.bEnd - range.b));
    countTokens(range);
    const indices = new Int32Array(range.aEnd - range.a);
    const places = new Int32Array(range.aEnd - range.a);
    let count = 0;
    for (let i = range.a; i < range.aEnd; i++) {
      const id = a[i] ?? 0;
      const place = first[id] ?? -1;
      if (place < 0 || (which === 'unique' && (countInA[id] !== 1 || countInB[id] !== 1))) continue;
      indices[count] = i;
      places[count++] = place;
      first[id] = next[place] ?? -1;
    }
    const kept = yield* longestIncreasingSubsequence(places.subarray(0, count), budget);
    return { indices: kept.map((at) => indices[at] ?? 0), places: kept.map((at) => places[at] ?? 0) };
  };
}

/**
 * Matches the tokens of one text to another's, in steps: by longest common subsequence where the texts are short or
 * similar, split at tokens that are unique to both where they're long. Once the budget is spent, the rest is matched by
 * the order in which equal tokens occur.
 * @returns the index in `b` of each token of `a`, ascending, or -1
 */
export function* matchTokensInSteps(
  a: readonly string[],
  b: readonly string[],
  budget: WorkBudget,
): Steps<Int32Array> {
  const numbers = new Map<string, number>();
  const [left, right] = [yield* numberTokens(a, numbers), yield* numberTokens(b, numbers)];
  budget.charge(a.length + b.length);
  const findAnchors = createAnchorFinder(left, right, numbers.size, budget);
  const match = new Int32Array(a.length).fill(-1);
  const ranges: TokenRange[] = [{ a: 0, aEnd: a.length, b: 0, bEnd: b.length, isCoarse: false }];
  let looked = 0;
  for (let range = ranges.pop(); range; range = ranges.pop()) {
    trimEnds(range);
    const pairs = (range.aEnd - range.a) * (range.bEnd - range.b);
    if (++looked % RANGES_IN_STEP === 0) yield;
    if (pairs === 0 || range.isCoarse) continue;
    if (pairs <= MAX_EXACT_PAIRS && budget.allows(pairs)) yield* matchExactly(range);
    else yield* split(range);
  }
  return match;

  /** Matches equal ends and takes them off a range. */
  function trimEnds(range: TokenRange): void {
    let { a: from, aEnd, b: place, bEnd } = range;
    while (from < aEnd && place < bEnd && left[from] === right[place]) match[from++] = place++;
    while (from < aEnd && place < bEnd && left[aEnd - 1] === right[bEnd - 1]) match[--aEnd] = --bEnd;
    budget.charge(from - range.a + (range.aEnd - aEnd) + 2);
    [range.a, range.aEnd, range.b, range.bEnd] = [from, aEnd, place, bEnd];
  }

  function* matchExactly({ a: from, aEnd, b: place, bEnd }: TokenRange): Steps<void> {
    budget.charge((aEnd - from) * (bEnd - place));
    const width = bEnd - place + 1;
    // Lengths of the longest common subsequence of the remaining tokens.
    const lengths = new Uint16Array((aEnd - from + 1) * width);
    const length = (i: number, j: number) => lengths[(i - from) * width + (j - place)] ?? 0;
    const fillRow = (i: number) => {
      const token = left[i];
      let at = (i - from + 1) * width - 2;
      for (let j = bEnd - 1; j >= place; j--, at--) {
        lengths[at] =
          token === right[j]
            ? (lengths[at + width + 1] ?? 0) + 1
            : Math.max(lengths[at + width] ?? 0, lengths[at + 1] ?? 0);
      }
    };
    const rowsInStep = Math.max(1, Math.floor(STEP / width));
    for (let i = aEnd - 1; i >= from; i--) {
      fillRow(i);
      if ((aEnd - i) % rowsInStep === 0) yield;
    }
    for (let i = from, j = place; i < aEnd && j < bEnd; ) {
      if (left[i] === right[j]) match[i++] = j++;
      else if (length(i + 1, j) >= length(i, j + 1)) i++;
      else j++;
    }
  }

  /** Matches anchors and adds the ranges between them; none if the texts have nothing in common. */
  function* split(range: TokenRange): Steps<void> {
    // As much again for the second try; what the subsequence costs is counted, too.
    const isCoarse = !budget.allows(2 * ANCHOR_PASSES * (range.aEnd - range.a + range.bEnd - range.b));
    let anchors = isCoarse ? undefined : yield* findAnchors(range, 'unique');
    if (!anchors?.indices.length) anchors = yield* findAnchors(range, 'all');
    let { a: from, b: place } = range;
    for (const [at, index] of anchors.indices.entries()) {
      const found = anchors.places[at] ?? 0;
      match[index] = found;
      if (index > from && found > place)
        ranges.push({ a: from, aEnd: index, b: place, bEnd: found, isCoarse });
      from = index + 1;
      place = found + 1;
      if (at % TOKENS_IN_STEP === TOKENS_IN_STEP - 1) yield;
    }
    if (anchors.indices.length > 0) ranges.push({ ...range, a: from, b: place, isCoarse });
    yield;
  }
}

/** Matches tokens like {@link matchTokensInSteps}, all at once. */
export const matchTokens = (a: readonly string[], b: readonly string[]): Int32Array =>
  runAtOnce(matchTokensInSteps(a, b, new WorkBudget(a.length + b.length)));

/** A stretch that differs: where its tokens are in the first text, and where those that replace them are in the second. */
interface Difference {
  start: number;
  end: number;
  from: number;
  to: number;
}

/**
 * Returns the stretches that differ, in order.
 * @param match what {@link matchTokens} returned
 * @param length how many tokens the second text has
 */
export function findDifferences(match: Int32Array, length: number): Difference[] {
  const found: Difference[] = [];
  let [start, from] = [0, 0];
  for (let end = 0; end <= match.length; end++) {
    const to = end < match.length ? (match[end] ?? -1) : length;
    if (to < 0) continue;
    if (end > start || to > from) found.push({ start, end, from, to });
    [start, from] = [end + 1, to + 1];
  }
  return found;
}
