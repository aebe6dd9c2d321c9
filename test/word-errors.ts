import { plainWords } from './plain-words';

/** How what was heard differs from what was said. */
export interface WordErrors {
  /** Words that were said. */
  said: number;
  replaced: number;
  /** Heard but not said. */
  added: number;
  /** Said but not heard. */
  missed: number;
  /** Pairs of the same word, by its index among what was said and among what was heard. */
  matches: [said: number, heard: number][];
}

/** Compares two sequences of words so that the fewest of them are replaced, added, or missed. */
export function compareWords(said: readonly string[], heard: readonly string[]): WordErrors {
  const width = heard.length + 1;
  const costs = new Uint32Array((said.length + 1) * width);
  const cost = (s: number, h: number) => costs[s * width + h] ?? 0;
  for (let s = 0; s <= said.length; s++) {
    for (let h = 0; h <= heard.length; h++) {
      const steps = [
        ...(s > 0 && h > 0 ? [cost(s - 1, h - 1) + (said[s - 1] === heard[h - 1] ? 0 : 1)] : []),
        ...(s > 0 ? [cost(s - 1, h) + 1] : []),
        ...(h > 0 ? [cost(s, h - 1) + 1] : []),
      ];
      costs[s * width + h] = steps.length > 0 ? Math.min(...steps) : 0;
    }
  }
  const errors: WordErrors = { said: said.length, replaced: 0, added: 0, missed: 0, matches: [] };
  for (let s = said.length, h = heard.length; s > 0 || h > 0; ) {
    const same = s > 0 && h > 0 && said[s - 1] === heard[h - 1];
    if (s > 0 && h > 0 && cost(s, h) === cost(s - 1, h - 1) + (same ? 0 : 1)) {
      [s, h] = [s - 1, h - 1];
      if (same) errors.matches.unshift([s, h]);
      else errors.replaced += 1;
    } else if (s > 0 && cost(s, h) === cost(s - 1, h) + 1) {
      s -= 1;
      errors.missed += 1;
    } else {
      h -= 1;
      errors.added += 1;
    }
  }
  return errors;
}

/** Counts the words that must be replaced, inserted or deleted to turn what was heard into what was said. */
export function wordErrors(said: string, heard: string): number {
  const { replaced, added, missed } = compareWords(plainWords(said), plainWords(heard));
  return replaced + added + missed;
}
