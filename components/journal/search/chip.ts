/** The look of a filter: a pill in a row that scrolls on phones. */
export const CHIP =
  'relative inline-flex min-h-11 shrink-0 cursor-pointer items-center gap-2 rounded-pill border border-line px-4 text-14 text-ink-2 hover:border-line-strong hover:text-ink';
