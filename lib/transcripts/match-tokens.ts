/** Ranges with up to this many pairs are compared exactly; larger ones are split at tokens unique to both. */
const MAX_EXACT_PAIRS = 4_000_000;
/** As are all ranges after this many pairs, because the server compares what a person sends between other requests. */
const MAX_PAIRS = 20_000_000;

interface TokenRange {
  a: number;
  aEnd: number;
  b: number;
  bEnd: number;
}

/** Returns the position of each token in a range, or -1 for those that repeat. */
function findUniqueTokens(tokens: readonly string[], from: number, to: number): Map<string, number> {
  const places = new Map<string, number>();
  for (let index = from; index < to; index++) {
    const token = tokens[index] ?? '';
    places.set(token, places.has(token) ? -1 : index);
  }
  return places;
}

/** Returns the longest run of pairs that ascends in both, given pairs sorted by the first (patience sorting). */
function longestIncreasingSubsequence(pairs: readonly [number, number][]): [number, number][] {
  const tops: number[] = [];
  const before = new Int32Array(pairs.length);
  for (const [index, [, place]] of pairs.entries()) {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((pairs[tops[middle] ?? 0]?.[1] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? (tops[low - 1] ?? -1) : -1;
    tops[low] = index;
  }
  const run: [number, number][] = [];
  for (let index = tops.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) {
    const pair = pairs[index];
    if (pair) run.push(pair);
  }
  return run.reverse();
}

/**
 * Matches the tokens of one text to another's: by longest common subsequence where the texts are short or similar,
 * split by patience diff (Cohen, 2003: anchors on tokens unique to both) where they're long.
 * @returns the index in `b` of each token of `a`, ascending, or -1
 */
export function matchTokens(a: readonly string[], b: readonly string[]): Int32Array {
  const match = new Int32Array(a.length).fill(-1);
  const work: TokenRange[] = [{ a: 0, aEnd: a.length, b: 0, bEnd: b.length }];
  let pairsLeft = MAX_PAIRS;
  for (let stretch = work.pop(); stretch; stretch = work.pop()) {
    const rest = trimEnds(stretch);
    if (rest.a === rest.aEnd || rest.b === rest.bEnd) continue;
    const pairs = (rest.aEnd - rest.a) * (rest.bEnd - rest.b);
    if (pairs > Math.min(MAX_EXACT_PAIRS, pairsLeft)) {
      work.push(...cut(rest));
      continue;
    }
    pairsLeft -= pairs;
    matchExactly(rest);
  }
  return match;

  function trimEnds({ a: from, aEnd, b: place, bEnd }: TokenRange): TokenRange {
    while (from < aEnd && place < bEnd && a[from] === b[place]) match[from++] = place++;
    while (from < aEnd && place < bEnd && a[aEnd - 1] === b[bEnd - 1]) match[--aEnd] = --bEnd;
    return { a: from, aEnd, b: place, bEnd };
  }

  function matchExactly({ a: from, aEnd, b: place, bEnd }: TokenRange) {
    const width = bEnd - place + 1;
    // Lengths of the longest common subsequence of the remaining tokens.
    const lengths = new Uint16Array((aEnd - from + 1) * width);
    const length = (i: number, j: number) => lengths[(i - from) * width + (j - place)] ?? 0;
    for (let i = aEnd - 1; i >= from; i--) {
      const token = a[i];
      let at = (i - from + 1) * width - 2;
      for (let j = bEnd - 1; j >= place; j--, at--) {
        lengths[at] =
          token === b[j]
            ? (lengths[at + width + 1] ?? 0) + 1
            : Math.max(lengths[at + width] ?? 0, lengths[at + 1] ?? 0);
      }
    }
    for (let i = from, j = place; i < aEnd && j < bEnd; ) {
      if (a[i] === b[j]) match[i++] = j++;
      else if (length(i + 1, j) >= length(i, j + 1)) i++;
      else j++;
    }
  }

  /** Matches the anchors and returns the ranges between them; none if the texts share no unique token. */
  function cut(stretch: TokenRange): TokenRange[] {
    const inB = findUniqueTokens(b, stretch.b, stretch.bEnd);
    const pairs: [number, number][] = [];
    for (const [token, index] of findUniqueTokens(a, stretch.a, stretch.aEnd)) {
      const place = inB.get(token) ?? -1;
      if (index >= 0 && place >= 0) pairs.push([index, place]);
    }
    const anchors = longestIncreasingSubsequence(pairs.sort(([one], [two]) => one - two));
    let { a: from, b: place } = stretch;
    const parts = anchors.map(([aAnchor, bAnchor]) => {
      match[aAnchor] = bAnchor;
      const part = { a: from, aEnd: aAnchor, b: place, bEnd: bAnchor };
      from = aAnchor + 1;
      place = bAnchor + 1;
      return part;
    });
    return anchors.length > 0 ? [...parts, { ...stretch, a: from, b: place }] : [];
  }
}
