/** Enough to compare two texts of 2,000 words exactly. */
const ALWAYS = 4_000_000;
/** How much may be done for each word beyond that, in comparisons. */
const FOR_EACH_WORD = 100;

/**
 * Counts the comparisons of an algorithm over a person's text, whose worst case anybody can write. Passing over the text a
 * few times is always possible. Whatever could take longer asks first, and where too little is left, a coarser way is
 * taken.
 */
export class WorkBudget {
  /** Comparisons so far. */
  done = 0;
  readonly #limit: number;

  /** @param words how many words there are in all texts together */
  constructor(words: number) {
    this.#limit = ALWAYS + FOR_EACH_WORD * words;
  }

  /** Counts work. */
  charge(comparisons: number): void {
    this.done += comparisons;
  }

  /** Returns whether there's enough left for some work that isn't in proportion to the text. */
  allows(comparisons: number): boolean {
    return this.done + comparisons <= this.#limit;
  }
}
