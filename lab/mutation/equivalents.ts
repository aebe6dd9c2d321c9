import type { Mutant } from './mutant';

/** A mutant that no test can notice, since the product does the same with it. */
interface Equivalent {
  file: string;
  /** What's replaced, and by what. */
  original: string;
  replacement: string;
  /** Why it makes no difference. */
  reason: string;
}

const EQUIVALENTS: readonly Equivalent[] = [];

/** Returns why a mutant is equivalent to the product, or undefined if it isn't known to be. */
export const whyEquivalent = ({ file, original, replacement }: Mutant): string | undefined =>
  EQUIVALENTS.find(
    (known) => known.file === file && known.original === original && known.replacement === replacement,
  )?.reason;
