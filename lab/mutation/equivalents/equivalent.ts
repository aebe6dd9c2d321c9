/** A mutant that no test can notice, since the product does the same with it. */
export interface Equivalent {
  file: string;
  /** What's replaced, and by what. */
  original: string;
  replacement: string;
  /** The function that it's in, if the same text in others matters. */
  within?: string;
  /** Why it makes no difference. */
  reason: string;
}
