/** The look of a link inside a sentence. */
export const LINK =
  'font-semibold text-accent-ink underline decoration-from-font underline-offset-4 hover:decoration-2';
