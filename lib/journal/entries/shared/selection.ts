/** The most entries that can be selected at a time, and that one operation takes. */
export const MAX_SELECTED = 500;

/** What to say when there are more. */
export const TOO_MANY_SELECTED = `Select at most ${MAX_SELECTED} entries at a time.`;
