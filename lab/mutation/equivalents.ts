import { ACCOUNTS_EQUIVALENTS } from './equivalents/accounts';
import type { Equivalent } from './equivalents/equivalent';
import { JOURNAL_EQUIVALENTS } from './equivalents/journal';
import { PLATFORM_EQUIVALENTS } from './equivalents/platform';
import { VIDEO_EQUIVALENTS } from './equivalents/video';
import type { Mutant } from './mutant';

export const EQUIVALENTS: readonly Equivalent[] = [
  ...ACCOUNTS_EQUIVALENTS,
  ...JOURNAL_EQUIVALENTS,
  ...VIDEO_EQUIVALENTS,
  ...PLATFORM_EQUIVALENTS,
];

/** Returns why a mutant is equivalent to the product, or undefined if it isn't known to be. */
export const whyEquivalent = ({ file, original, replacement, within }: Mutant): string | undefined =>
  EQUIVALENTS.find(
    (known) =>
      known.file === file &&
      known.original === original &&
      known.replacement === replacement &&
      (known.within === undefined || known.within === within),
  )?.reason;
